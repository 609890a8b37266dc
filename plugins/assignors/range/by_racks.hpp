// Range assignment with an eye on racks. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include <muster/sdk/partition_assignor.hpp>

#include <racks/view_racks.hpp>

namespace muster::range {

// Takes the outcome without racks: each member keeps how much it got of each topic, and which
// partitions these are is chosen by racks. Topics that have the same owners, number by number, are
// co-partitioned: a number goes where most of them have a replica. If they need not stay so, each
// then departs from that where it has more in racks by it.
void rearrange_by_racks(const sdk::PartitionView& view, bool keep_co_partitioned,
                        std::span<std::uint32_t> owner);

}  // namespace muster::range
