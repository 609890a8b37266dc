// Edit distance over short names.
#include "config/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace muster::host {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view mistyped, std::span<const std::string> known) {
  // Beyond a third of the name a suggestion is a guess that misleads.
  std::size_t best = std::max<std::size_t>(2, mistyped.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(mistyped, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view mistyped, std::span<const std::string> known) {
  const std::string nearest = nearest_name(mistyped, known);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

}  // namespace muster::host
