// See topic_name.hpp.
#include "topic_name.hpp"

#include <algorithm>
#include <array>

#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

constexpr std::size_t max_name_length = 249;
constexpr std::array<std::string_view, 3> internal_topics = {
    "__consumer_offsets", "__share_group_state", "__transaction_state"};

bool legal(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

std::optional<std::string> topic_name_fault(std::string_view name) {
  constexpr std::string_view start = "Topic name is invalid: ";
  if (name.empty()) return sdk::text(start, "the empty string is not allowed");
  if (name == "." || name == "..") return sdk::text(start, "'", name, "' is not allowed");
  if (name.size() > max_name_length) {
    return sdk::text(start, "the length of '", name, "' is longer than the max allowed length ",
                     max_name_length);
  }
  if (!std::ranges::all_of(name, legal)) {
    return sdk::text(start, "'", name,
                     "' contains one or more characters other than ASCII alphanumerics, '.', '_' "
                     "and '-'");
  }
  return std::nullopt;
}

bool is_internal_topic(std::string_view name) {
  return std::ranges::find(internal_topics, name) != internal_topics.end();
}

bool has_collision_characters(std::string_view name) {
  return name.find_first_of("._") != std::string_view::npos;
}

std::string collision_form(std::string_view name) {
  std::string form(name);
  std::ranges::replace(form, '.', '_');
  return form;
}

}  // namespace muster::embedded
