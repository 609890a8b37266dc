// Kafka's rules for topic names. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster::embedded {

inline constexpr std::string_view cluster_metadata_topic = "__cluster_metadata";

// Why the name is not legal, or nothing.
std::optional<std::string> topic_name_fault(std::string_view name);

// A topic that belongs to the coordinators: clients may read but not write it.
bool is_internal_topic(std::string_view name);

// '.' and '_' become one character in metric names, so two topics may not differ in them alone.
bool has_collision_characters(std::string_view name);
std::string collision_form(std::string_view name);

}  // namespace muster::embedded
