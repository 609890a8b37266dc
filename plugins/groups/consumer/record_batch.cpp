// Records in Kafka's formats, version 0 each but the classic protocol's. [shard]
#include "record_batch.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_key.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_value.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_partition_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_regular_expression_key.hpp>
#include <muster/protocol/records/consumer_group_regular_expression_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_value.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>

#include <bit>

namespace muster::consumer {
namespace {

using CurrentValue = protocol::ConsumerGroupCurrentMemberAssignmentValue;
using MemberValue = protocol::ConsumerGroupMemberMetadataValue;
using TargetValue = protocol::ConsumerGroupTargetAssignmentMemberValue;

std::vector<CurrentValue::TopicPartitions> with_epochs(const AssignedPartitions& partitions) {
  auto topics = to_grouped<CurrentValue::TopicPartitions>(partitions);
  auto next = partitions.begin();
  for (auto& topic : topics) {
    auto& epochs = topic.assignment_epochs.emplace();
    epochs.reserve(topic.partitions.size());
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) epochs.push_back((next++)->epoch);
  }
  return topics;
}

MemberValue::ClassicMemberMetadata to_value(const ClassicMemberMetadata& classic) {
  MemberValue::ClassicMemberMetadata out;
  out.session_timeout_ms = classic.session_timeout_ms;
  for (const auto& protocol : classic.supported_protocols) {
    out.supported_protocols.push_back({protocol.name, protocol::Bytes(protocol.metadata)});
  }
  return out;
}

MemberValue to_value(const MemberMetadata& metadata) {
  MemberValue value;
  value.instance_id = metadata.instance_id;
  value.rack_id = metadata.rack_id;
  value.client_id = metadata.client_id;
  value.client_host = metadata.client_host;
  value.subscribed_topic_names.assign(metadata.names().begin(), metadata.names().end());
  value.subscribed_topic_regex = metadata.topic_regex;
  value.rebalance_timeout_ms = metadata.rebalance_timeout_ms;
  value.server_assignor = metadata.server_assignor;
  value.classic_member_metadata.reset();
  if (metadata.classic) value.classic_member_metadata = to_value(*metadata.classic);
  return value;
}

}  // namespace

template <class Key, class Value>
void RecordBatch::put(const Key& key, const Value& value) {
  entries_.push_back({protocol::encode_key(key), protocol::encode_value(value)});
}

template <class Key>
void RecordBatch::remove(const Key& key) {
  entries_.push_back({protocol::encode_key(key), std::nullopt});
}

void RecordBatch::member_metadata(std::string_view member, const MemberMetadata& metadata) {
  put(protocol::ConsumerGroupMemberMetadataKey{group_, member}, to_value(metadata));
}

void RecordBatch::group_epoch(std::int32_t epoch, std::uint64_t metadata_hash) {
  put(protocol::ConsumerGroupMetadataKey{group_},
      protocol::ConsumerGroupMetadataValue{epoch, std::bit_cast<std::int64_t>(metadata_hash)});
}

void RecordBatch::target(std::string_view member, const Partitions& target) {
  put(protocol::ConsumerGroupTargetAssignmentMemberKey{group_, member},
      TargetValue{to_grouped<TargetValue::TopicPartition>(target)});
}

void RecordBatch::target_metadata(std::int32_t epoch, std::int64_t timestamp_ms) {
  put(protocol::ConsumerGroupTargetAssignmentMetadataKey{group_},
      protocol::ConsumerGroupTargetAssignmentMetadataValue{epoch, timestamp_ms});
}

void RecordBatch::current(std::string_view member, const CurrentAssignment& current) {
  CurrentValue value;
  value.member_epoch = current.epoch;
  value.previous_member_epoch = current.previous_epoch;
  value.state = static_cast<std::int8_t>(current.state);
  value.assigned_partitions = with_epochs(current.assigned);
  value.partitions_pending_revocation = with_epochs(current.pending_revocation);
  put(protocol::ConsumerGroupCurrentMemberAssignmentKey{group_, member}, value);
}

void RecordBatch::regex(std::string_view regex, const ResolvedRegex& resolved) {
  protocol::ConsumerGroupRegularExpressionValue value;
  value.topics.assign(resolved.topics.begin(), resolved.topics.end());
  value.version = resolved.version;
  value.timestamp = resolved.timestamp;
  put(protocol::ConsumerGroupRegularExpressionKey{group_, regex}, value);
}

void RecordBatch::remove_member(std::string_view member) {
  remove(protocol::ConsumerGroupCurrentMemberAssignmentKey{group_, member});
  remove(protocol::ConsumerGroupTargetAssignmentMemberKey{group_, member});
  remove(protocol::ConsumerGroupMemberMetadataKey{group_, member});
}

void RecordBatch::remove_regex(std::string_view regex) {
  remove(protocol::ConsumerGroupRegularExpressionKey{group_, regex});
}

void RecordBatch::remove_partition_metadata() {
  remove(protocol::ConsumerGroupPartitionMetadataKey{group_});
}

void RecordBatch::remove_target_metadata() {
  remove(protocol::ConsumerGroupTargetAssignmentMetadataKey{group_});
}

void RecordBatch::remove_group_epoch() { remove(protocol::ConsumerGroupMetadataKey{group_}); }

void RecordBatch::whole_group(const Group& group) {
  for (const auto& [id, member] : group.members()) member_metadata(id, member.metadata);
  group_epoch(group.epoch, group.metadata_hash);
  for (const auto& [id, partitions] : group.targets()) target(id, partitions);
  target_metadata(group.assignment_epoch, group.assignment_timestamp_ms);
  for (const auto& [id, member] : group.members()) current(id, member.current);
  for (const auto& [pattern, resolved] : group.resolved_regexes()) regex(pattern, resolved);
}

void RecordBatch::remove_whole_group(const Group& group) {
  for (const auto& [id, member] : group.members()) {
    remove(protocol::ConsumerGroupCurrentMemberAssignmentKey{group_, id});
  }
  for (const auto& [id, member] : group.members()) {
    remove(protocol::ConsumerGroupTargetAssignmentMemberKey{group_, id});
  }
  remove_target_metadata();
  for (const auto& [id, member] : group.members()) {
    remove(protocol::ConsumerGroupMemberMetadataKey{group_, id});
  }
  for (const auto& [pattern, resolved] : group.resolved_regexes()) remove_regex(pattern);
  remove_partition_metadata();
  remove_group_epoch();
}

void RecordBatch::remove_empty_group(const Group& group) {
  remove_target_metadata();
  for (const auto& [pattern, resolved] : group.resolved_regexes()) remove_regex(pattern);
  remove_partition_metadata();
  remove_group_epoch();
}

void RecordBatch::classic_group(const protocol::GroupMetadataValue& value) {
  constexpr std::int16_t written_version = 3;  // version 4 is only read
  entries_.push_back({protocol::encode_key(protocol::GroupMetadataKey{group_}),
                      protocol::encode_value(value, written_version)});
}

void RecordBatch::remove_classic_group() { remove(protocol::GroupMetadataKey{group_}); }

}  // namespace muster::consumer
