// Kafka's CamelCase names as C++ identifiers.
#pragma once

#include <string>
#include <string_view>

namespace muster::generator {

// GroupId -> group_id, timeoutMs -> timeout_ms, KRaftVersion -> kraft_version.
std::string snake_case(std::string_view name);

// snake_case, with a trailing underscore where C++ or the generated members claim the word.
std::string identifier(std::string_view name);

}  // namespace muster::generator
