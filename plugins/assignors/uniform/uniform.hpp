// Kafka's uniform assignor: loads that differ by at most one, then as few moves as possible.
// Stateless; any thread, concurrently.
//
// Kafka walks its members in the order of a Java hash map, which is no function of the group: it
// depends on the map's capacity and on how its keys collide. Here members are taken in member-id
// order and topics in topic-id order; given Kafka's order, the outcome is Kafka's to the partition.
// Racks are ignored, as Kafka does, unless group.consumer.assignor.rack.aware is set.
#pragma once

#include <cstdint>
#include <span>

#include <muster/sdk/host.hpp>
#include <muster/sdk/options.hpp>
#include <muster/sdk/partition_assignor.hpp>

#include <racks/options.hpp>
#include <racks/view_racks.hpp>

namespace muster::uniform {

class UniformAssignor {
 public:
  static constexpr muster_option options[] = {racks::host_rack_aware_option,
                                              racks::rack_aware_option};

  UniformAssignor(const sdk::Host& /*host*/, const sdk::Options& values)
      : rack_aware_(values, racks::rack_aware_name) {}

  // One subscription is what Kafka calls a homogeneous group; two that are equal are not.
  void assign(const sdk::PartitionView& view, sdk::PartitionSink& out) const;

 private:
  sdk::BoolOption rack_aware_;
};

// Each fills owner[p] for every partition of the view; there is at least one member.
// Homogeneous: there is one subscription and it has all topics.
void assign_homogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner);
// MUSTER_NONE where a topic has no subscriber.
void assign_heterogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner);

// The same where racks matter. Homogeneous: loads as even as without racks, then as many partitions
// in a rack of theirs as that allows, then as few moves as these two leave.
void assign_homogeneous(const sdk::PartitionView& view, racks::ViewRacks& racks,
                        std::span<std::uint32_t> owner);
// Takes the outcome without racks: each member keeps how much it got of the topics that the same
// members want, and which partitions these are is chosen by racks. So loads are the same, and never
// fewer partitions in a rack of theirs.
void rearrange_by_racks(const sdk::PartitionView& view, racks::ViewRacks& racks,
                        std::span<std::uint32_t> owner);

}  // namespace muster::uniform
