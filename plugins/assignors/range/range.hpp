// Kafka's range assignor: each topic is cut into contiguous ranges, handed out in member order.
// Stateless; any thread, concurrently.
//
// Outcome and order are Kafka's in every case: static members by instance id come first, then
// dynamic ones by member id, which is the view's instance_rank. Racks are ignored, as Kafka does.
#pragma once

#include <muster/sdk/partition_assignor.hpp>

namespace muster::range {

class RangeAssignor {
 public:
  void assign(const sdk::PartitionView& view, sdk::PartitionSink& out) const;
};

}  // namespace muster::range
