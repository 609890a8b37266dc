// Kafka's uniform assignor: loads that differ by at most one, then as few moves as possible.
// Stateless; any thread, concurrently.
//
// Kafka walks its members in the order of a Java hash map, which is no function of the group: it
// depends on the map's capacity and on how its keys collide. Here members are taken in member-id
// order and topics in topic-id order; given Kafka's order, the outcome is Kafka's to the partition.
// Racks are ignored, as Kafka does.
#pragma once

#include <cstdint>
#include <span>

#include <muster/sdk/partition_assignor.hpp>

namespace muster::uniform {

class UniformAssignor {
 public:
  // One subscription is what Kafka calls a homogeneous group; two that are equal are not.
  void assign(const sdk::PartitionView& view, sdk::PartitionSink& out) const;
};

// Each fills owner[p] for every partition of the view; there is at least one member.
// Homogeneous: there is one subscription and it has all topics.
void assign_homogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner);
// MUSTER_NONE where a topic has no subscriber.
void assign_heterogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner);

}  // namespace muster::uniform
