// See claims.hpp.
#include "claims.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace muster::consumer {

std::map<TopicPartition, std::size_t> holders_of(std::span<const Claimant> claimants,
                                                 std::int32_t generation) {
  std::vector<std::size_t> newest_first(claimants.size());
  std::iota(newest_first.begin(), newest_first.end(), std::size_t{0});
  std::ranges::stable_sort(newest_first, std::ranges::greater(),
                           [&](std::size_t i) { return claimants[i].owned_generation; });
  std::map<TopicPartition, std::size_t> holders;
  const auto give = [&](const Partitions& partitions, std::size_t to) {
    for (const TopicPartition& at : partitions) holders.try_emplace(at, to);
  };
  // Who joins a generation owns what it got in the one before.
  const auto is_fresh = [&](std::size_t i) {
    return claimants[i].owned_generation >= generation - 1;
  };
  for (const std::size_t i : newest_first) {
    if (is_fresh(i)) give(claimants[i].owned, i);
  }
  for (std::size_t i = 0; i < claimants.size(); ++i) give(claimants[i].assigned, i);
  for (const std::size_t i : newest_first) {
    if (!is_fresh(i)) give(claimants[i].owned, i);
  }
  return holders;
}

}  // namespace muster::consumer
