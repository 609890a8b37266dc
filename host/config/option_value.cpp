// Text to values, as Kafka's ConfigDef reads them.
#include "config/option_value.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace muster::host {
namespace {

using Parsed = std::expected<OptionValue, std::string>;

constexpr std::int32_t config_type_int = 3;

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// "0.8" as it is, "3" as "3.0": what Java prints.
std::string double_text(double value) {
  char buffer[32];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

Parsed parse_boolean(std::string_view text) {
  OptionValue value;
  value.boolean = equal_without_case(text, "true");
  if (!value.boolean && !equal_without_case(text, "false")) {
    return std::unexpected("Expected value to be either true or false");
  }
  value.text = value.boolean ? "true" : "false";
  return value;
}

Parsed parse_integer(const muster_option& option, std::string_view text) {
  const bool narrow = option.config_type == config_type_int;
  OptionValue value;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.integer);
  const bool fits = !narrow || (value.integer >= std::numeric_limits<std::int32_t>::min() &&
                                value.integer <= std::numeric_limits<std::int32_t>::max());
  if (error != std::errc() || end != text.data() + text.size() || !fits) {
    return std::unexpected(std::string("Not a number of type ") + (narrow ? "INT" : "LONG"));
  }
  value.text = std::to_string(value.integer);
  return value;
}

Parsed parse_floating(std::string_view text) {
  OptionValue value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.floating);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value.floating)) {
    return std::unexpected("Not a number of type DOUBLE");
  }
  value.text = double_text(value.floating);
  return value;
}

Parsed parse_by_type(const muster_option& option, std::string_view text) {
  switch (option.type) {
    case MUSTER_OPTION_BOOL: return parse_boolean(text);
    case MUSTER_OPTION_INT64: return parse_integer(option, text);
    case MUSTER_OPTION_FLOAT64: return parse_floating(text);
    case MUSTER_OPTION_LIST: return list_value(split_list(text));
    default: break;
  }
  OptionValue value;
  value.text = text;
  return value;
}

std::optional<OptionValue> bound(const muster_option& option, const char* text) {
  if (text == nullptr || !is_number(option)) return std::nullopt;
  auto value = parse_by_type(option, text);
  if (!value) return std::nullopt;
  return std::move(*value);
}

std::expected<void, std::string> check_range(const muster_option& option,
                                             const OptionValue& value) {
  const auto low = bound(option, option.min);
  if (low && compare_numbers(option, value, *low) < 0) {
    return std::unexpected("Value must be at least " + low->text);
  }
  const auto high = bound(option, option.max);
  if (high && compare_numbers(option, value, *high) > 0) {
    return std::unexpected("Value must be no more than " + high->text);
  }
  return {};
}

// Legal values are compared without case and kept as the declaration spells them.
std::expected<void, std::string> check_one_of(const muster_option& option, OptionValue& value) {
  if (option.one_of == nullptr) return {};
  const std::vector<std::string> legal = split_list(option.one_of);
  const auto respell = [&](std::string& text) {
    const auto at = std::ranges::find_if(
        legal, [&](const std::string& word) { return equal_without_case(word, text); });
    if (at == legal.end()) return false;
    text = *at;
    return true;
  };
  bool good = true;
  if (option.type == MUSTER_OPTION_STRING) {
    good = respell(value.text);
  } else if (option.type == MUSTER_OPTION_LIST) {
    std::vector<std::string> items = value.items;
    good = std::ranges::all_of(items, respell);
    if (good) value = list_value(std::move(items));
  }
  if (good) return {};
  std::string words;
  for (const std::string& word : legal) words += (words.empty() ? "" : ", ") + word;
  return std::unexpected("String must be one of: " + words);
}

}  // namespace

OptionValue OptionValue::copy() const {
  OptionValue other = list_value(items);
  other.none = none;
  other.boolean = boolean;
  other.integer = integer;
  other.floating = floating;
  other.text = text;
  return other;
}

std::expected<OptionValue, std::string> parse_option(const muster_option& option,
                                                     std::string_view text) {
  Parsed value = parse_by_type(option, trim(text));
  if (!value) return value;
  if (is_number(option)) {
    if (auto good = check_range(option, *value); !good) return std::unexpected(good.error());
  }
  if (auto good = check_one_of(option, *value); !good) return std::unexpected(good.error());
  value->none = false;
  return value;
}

std::partial_ordering compare_numbers(const muster_option& option, const OptionValue& a,
                                      const OptionValue& b) {
  if (option.type == MUSTER_OPTION_FLOAT64) return a.floating <=> b.floating;
  return a.integer <=> b.integer;
}

bool is_number(const muster_option& option) {
  return option.type == MUSTER_OPTION_INT64 || option.type == MUSTER_OPTION_FLOAT64;
}

std::string type_text(const muster_option& option) {
  switch (option.type) {
    case MUSTER_OPTION_BOOL: return "a boolean";
    case MUSTER_OPTION_INT64: return "an integer";
    case MUSTER_OPTION_FLOAT64: return "a number";
    case MUSTER_OPTION_LIST: return "a list of strings";
    default: return "a string";
  }
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  text = trim(text);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    items.emplace_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) items.emplace_back();
  }
  return items;
}

std::string join_list(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ",") + items[i];
  return text;
}

OptionValue list_value(std::vector<std::string> items) {
  OptionValue value;
  value.none = false;
  value.items = std::move(items);
  for (const std::string& item : value.items) value.views.push_back({item.data(), item.size()});
  value.text = join_list(value.items);
  return value;
}

}  // namespace muster::host
