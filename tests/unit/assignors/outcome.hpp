// What is asked of an assignment: who has how much, what moved, is it whole and balanced.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "group.hpp"

namespace muster::assignors {

std::vector<std::uint32_t> loads(const Group& group, const Owners& owners);

// Partitions that had an owner in the group and now have another.
std::uint32_t moves(const Group& group, const Owners& owners);

// Each partition that somebody subscribes to has an owner, who subscribes to it.
testing::AssertionResult is_complete(const Group& group, const Owners& owners);

// No two loads differ by more than one.
testing::AssertionResult is_even(const Group& group, const Owners& owners);

// Kafka's rule for mixed subscriptions: no partition is held by a member that has two or more
// partitions more than another subscriber of its topic.
testing::AssertionResult is_settled(const Group& group, const Owners& owners);

}  // namespace muster::assignors
