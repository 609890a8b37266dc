// Concatenation for log lines and failures: strings, characters, numbers. Locale-free, since a
// plugin's text must not change with the process's environment. Any thread.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace muster::sdk {

inline void append_text(std::string& out, std::string_view text) { out += text; }

// Templates, so that a string literal does not prefer to become a bool.
template <class Number>
  requires std::integral<Number> || std::floating_point<Number>
void append_text(std::string& out, Number value) {
  if constexpr (std::same_as<Number, char>) {
    out += value;
  } else if constexpr (std::same_as<Number, bool>) {
    out += value ? "true" : "false";
  } else {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
  }
}

// text("group ", id, " has ", 3, " members")
template <class... Pieces>
std::string text(const Pieces&... pieces) {
  std::string out;
  (append_text(out, pieces), ...);
  return out;
}

}  // namespace muster::sdk
