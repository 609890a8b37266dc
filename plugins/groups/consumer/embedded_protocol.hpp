// What classic members carry in JoinGroup and SyncGroup: the consumer's own protocol, embedded as
// bytes that start with a version. Pure, any thread.
#pragma once

#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/sdk/metadata.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "topic_partitions.hpp"

namespace muster::consumer {

// The protocol type of consumers; others elect over classic groups too (Connect, registries).
inline constexpr std::string_view consumer_protocol_type = "consumer";

// A newer version than the newest known is read as that one, as in Kafka: it only adds fields.
// Nothing: not readable. Views into the bytes.
std::optional<protocol::ConsumerProtocolSubscription> read_subscription(protocol::Bytes bytes);
std::optional<protocol::ConsumerProtocolAssignment> read_assignment(protocol::Bytes bytes);

// In the version of the member's own metadata, so that it can read it. Topics that no longer exist
// are left out.
protocol::Buffer write_assignment(const Partitions& partitions, protocol::Bytes member_metadata,
                                  const sdk::Metadata& topics);

// From a list of {topic, partitions} by name; unknown topics are left out.
template <class Named>
Partitions to_partitions(const std::vector<Named>& named, const sdk::Metadata& topics) {
  Partitions out;
  for (const Named& one : named) {
    const auto topic = topics.by_name(one.topic);
    if (!topic) continue;
    const TopicId id = TopicId::of(topic->id());
    for (const std::int32_t partition : one.partitions) out.push_back({id, partition});
  }
  normalise(out);
  return out;
}

}  // namespace muster::consumer
