// Deals the partitions of all topics to their subscribers like cards, one after the other.
#pragma once

#include <muster/sdk/partition_assignor.hpp>

namespace example {

class RoundRobin {
 public:
  void assign(const muster::sdk::PartitionView& view, muster::sdk::PartitionSink& out) const;
};

}  // namespace example
