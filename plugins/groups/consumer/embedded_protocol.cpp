// What classic members carry in JoinGroup and SyncGroup. Pure, any thread.
#include "embedded_protocol.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

#include <algorithm>

namespace muster::consumer {
namespace {

using Assignment = protocol::ConsumerProtocolAssignment;
using Subscription = protocol::ConsumerProtocolSubscription;

template <class Message>
std::optional<Message> read(protocol::Bytes bytes) {
  protocol::Reader in(bytes);
  const std::int16_t version = in.read_int16();
  if (!in.ok() || version < Message::min_version) return std::nullopt;
  Message message;
  message.read(in, std::min(version, Message::max_version));
  return in.ok() ? std::optional(std::move(message)) : std::nullopt;
}

}  // namespace

std::optional<Subscription> read_subscription(protocol::Bytes bytes) {
  return read<Subscription>(bytes);
}

std::optional<Assignment> read_assignment(protocol::Bytes bytes) { return read<Assignment>(bytes); }

protocol::Buffer write_assignment(const Partitions& partitions, protocol::Bytes member_metadata,
                                  const sdk::Metadata& topics) {
  protocol::Reader in(member_metadata);
  const std::int16_t version =
      std::clamp(in.read_int16(), Assignment::min_version, Assignment::max_version);
  Assignment assignment;
  each_topic(std::span(partitions), [&](const TopicId& id, std::span<const TopicPartition> of) {
    const auto topic = topics.by_id(id.as<sdk::Uuid>());
    if (!topic) return;
    auto& named = assignment.assigned_partitions.emplace_back();
    named.topic = topic->name();
    for (const TopicPartition& at : of) named.partitions.push_back(at.partition);
  });
  protocol::Buffer out;
  {
    protocol::Writer writer(out);
    writer.write_int16(version);
    assignment.write(writer, version);
  }
  return out;
}

}  // namespace muster::consumer
