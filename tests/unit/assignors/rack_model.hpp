// What racks allow at most, by brute force over single partitions and members. Tests only.
#pragma once

#include <cstdint>
#include <vector>

#include "group.hpp"

namespace muster::assignors {

bool is_in_rack(const Group& group, std::uint32_t partition, std::uint32_t member);
// Partitions whose owner is in one of their racks.
std::uint32_t count_in_rack(const Group& group, const Owners& owners);

// Items go to members; worth[item][member] is what that is worth. Members take up to their quota,
// and `extras` of them one more.
struct Sharing {
  std::vector<std::vector<std::int64_t>> worth;
  std::vector<std::uint32_t> quota;
  std::uint32_t extras = 0;
};

// The most that all items can be worth.
std::int64_t greatest_worth(const Sharing& sharing);

}  // namespace muster::assignors
