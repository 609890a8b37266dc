// Who holds a partition of a classic group while that becomes a consumer group. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "topic_partitions.hpp"

namespace muster::consumer {

struct Claimant {
  Partitions assigned;                 // by the group's last assignment
  Partitions owned;                    // as it said when it joined last; eager members own nothing
  std::int32_t owned_generation = -1;  // in which it did
};

// In the middle of a rebalance members are assigned nothing, or what others have not given up yet,
// and cooperative ones go on with what they own. So a claim of the newest generations comes before
// an assignment, and an older one after it; of two claims the newer one counts.
std::map<TopicPartition, std::size_t> holders_of(std::span<const Claimant> claimants,
                                                 std::int32_t generation);

}  // namespace muster::consumer
