// Kafka's range assignor: each topic is cut into contiguous ranges, handed out in member order.
// Stateless; any thread, concurrently.
//
// Outcome and order are Kafka's in every case: static members by instance id come first, then
// dynamic ones by member id, which is the view's instance_rank. Racks are ignored, as Kafka's
// coordinator does, unless group.consumer.assignor.rack.aware is set: then as Kafka's client does,
// balance goes before co-partitioning and that before racks.
#pragma once

#include <muster/sdk/host.hpp>
#include <muster/sdk/options.hpp>
#include <muster/sdk/partition_assignor.hpp>

#include <racks/options.hpp>

namespace muster::range {

class RangeAssignor {
 public:
  static constexpr const char* co_partitioned_name = "consumer.assignor.range.co.partitioned";
  static constexpr const char* host_co_partitioned_name =
      "group.consumer.assignor.range.co.partitioned";
  static constexpr const char* co_partitioned_doc =
      "Whether range, where it looks at racks, keeps topics co-partitioned.";
  static constexpr muster_option options[] = {
      racks::host_rack_aware_option,
      racks::rack_aware_option,
      sdk::bool_option(host_co_partitioned_name)
          .by_default("true")
          .doc(co_partitioned_doc)
          .since("0.1.0"),
      sdk::bool_option(co_partitioned_name)
          .per_group()
          .default_of(host_co_partitioned_name)
          .doc(co_partitioned_doc)
          .since("0.1.0"),
  };

  RangeAssignor(const sdk::Host& /*host*/, const sdk::Options& values)
      : rack_aware_(values, racks::rack_aware_name), co_partitioned_(values, co_partitioned_name) {}

  void assign(const sdk::PartitionView& view, sdk::PartitionSink& out) const;

 private:
  sdk::BoolOption rack_aware_;
  sdk::BoolOption co_partitioned_;
};

}  // namespace muster::range
