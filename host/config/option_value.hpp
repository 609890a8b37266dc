// One option's value as its declaration reads it. Owner: host/config. Pure.
#pragma once

#include <muster/abi/options.h>

#include <compare>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

// Move only: `views` point into `items`, which a move keeps where they are.
struct OptionValue {
  OptionValue() = default;
  OptionValue(OptionValue&&) = default;
  OptionValue& operator=(OptionValue&&) = default;
  ~OptionValue() = default;

  [[nodiscard]] OptionValue copy() const;

  bool none = true;
  bool boolean = false;
  std::int64_t integer = 0;
  double floating = 0;
  std::string text;                // Kafka's notation; a list's items joined by commas
  std::vector<std::string> items;  // lists
  std::vector<muster_str> views;   // lists, for the border
};

// Reads `text` (none is not for here). The error is a reason in Kafka's own words, to stand behind
// "Invalid value V for configuration NAME: ".
[[nodiscard]] std::expected<OptionValue, std::string> parse_option(const muster_option& option,
                                                                   std::string_view text);

// The order of two values of one number type.
[[nodiscard]] std::partial_ordering compare_numbers(const muster_option& option,
                                                    const OptionValue& a, const OptionValue& b);

[[nodiscard]] bool is_number(const muster_option& option);
[[nodiscard]] std::string type_text(const muster_option& option);  // "an integer"
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);
[[nodiscard]] std::string join_list(const std::vector<std::string>& items);
[[nodiscard]] OptionValue list_value(std::vector<std::string> items);

}  // namespace muster::host
