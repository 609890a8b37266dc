// Text as JSON strings. Owner: host/observe. Pure.
#pragma once

#include <string>
#include <string_view>

namespace muster::host {

// With its quotes; bytes that are not UTF-8 become replacement characters.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace muster::host
