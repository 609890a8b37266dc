// "did you mean": the known name that is closest to a mistyped one. Owner: host/config. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace muster::host {

// Empty if nothing is close.
[[nodiscard]] std::string nearest_name(std::string_view mistyped,
                                       std::span<const std::string> known);

// "; did you mean 'x'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view mistyped,
                                       std::span<const std::string> known);

}  // namespace muster::host
