#include "cli/group_reading.hpp"

#include "config/nearest_name.hpp"

#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_response.hpp>
#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/list_groups_response.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_fetch_response.hpp>

namespace muster::host {
namespace {

using protocol::ConsumerGroupDescribeResponse;
using protocol::DescribeGroupsResponse;
using protocol::ListGroupsRequest;
using protocol::OffsetFetchResponse;

constexpr std::int16_t states_filter_version = 4;
constexpr std::int16_t types_filter_version = 5;
constexpr std::int16_t groups_version = 8;  // from which OffsetFetch takes groups
constexpr std::int16_t newest_by_name = 9;  // the last one that names topics instead of their ids
constexpr std::int64_t no_offset = -1;

template <class Text>
std::optional<std::string> copy(const std::optional<Text>& text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

PartitionsByTopic partitions_of(const ConsumerGroupDescribeResponse::Assignment& assignment) {
  PartitionsByTopic all;
  for (const auto& topic : assignment.topic_partitions) {
    auto& numbers = all[std::string(topic.topic_name)];
    numbers = topic.partitions;
    std::ranges::sort(numbers);
  }
  return all;
}

// What clients of the classic protocol write, if they are consumers.
PartitionsByTopic partitions_of(protocol::Bytes assignment) {
  PartitionsByTopic all;
  const auto decoded = protocol::decode_value<protocol::ConsumerProtocolAssignment>(assignment);
  if (!decoded) return all;
  for (const auto& topic : decoded->assigned_partitions) {
    auto& numbers = all[std::string(topic.topic)];
    numbers = topic.partitions;
    std::ranges::sort(numbers);
  }
  return all;
}

std::vector<std::string> topics_of(protocol::Bytes subscription) {
  const auto decoded = protocol::decode_value<protocol::ConsumerProtocolSubscription>(subscription);
  if (!decoded) return {};
  return {decoded->topics.begin(), decoded->topics.end()};
}

// The one group of an answer that describes some; null where it tells nothing of the group, and the
// description then has the reason.
template <class Response>
const auto* described_group(const Outcome<Reply<Response>>& reply, const char* api,
                            GroupDescription& description) {
  using Group = std::remove_reference_t<decltype(reply->message.groups.front())>;
  const Group* none = nullptr;
  if (!reply) {
    description.members_unknown = reply.error().what;
    return none;
  }
  if (reply->message.groups.empty()) return none;
  const Group& group = reply->message.groups.front();
  if (group.error_code == 0) return &group;
  description.members_unknown = kafka_failure(api, group.error_code, group.error_message).what;
  return none;
}

template <class Response>
std::int16_t error_of_group(const Response& message) {
  return message.groups.empty() ? std::int16_t{0} : message.groups.front().error_code;
}

void read_consumer_members(Client& client, GroupDescription& description) {
  protocol::ConsumerGroupDescribeRequest request;
  request.group_ids.emplace_back(description.group.id);
  const auto reply = client.ask_loaded<ConsumerGroupDescribeResponse>(
      request, error_of_group<ConsumerGroupDescribeResponse>);
  const auto* told = described_group(reply, "ConsumerGroupDescribe", description);
  if (told == nullptr) return;
  const auto& group = *told;
  description.group.state = group.group_state;
  description.epoch = group.group_epoch;
  description.assignment_epoch = group.assignment_epoch;
  description.assignor = group.assignor_name;
  for (const auto& member : group.members) {
    MemberRow& row = description.members.emplace_back();
    row.id = member.member_id;
    row.instance_id = copy(member.instance_id);
    row.rack = copy(member.rack_id);
    row.client_id = member.client_id;
    row.client_host = member.client_host;
    row.epoch = member.member_epoch;
    row.topics.assign(member.subscribed_topic_names.begin(), member.subscribed_topic_names.end());
    row.regex = copy(member.subscribed_topic_regex);
    row.assigned = partitions_of(member.assignment);
    row.target = partitions_of(member.target_assignment);
  }
}

void read_classic_members(Client& client, GroupDescription& description) {
  protocol::DescribeGroupsRequest request;
  request.groups.emplace_back(description.group.id);
  const auto reply =
      client.ask_loaded<DescribeGroupsResponse>(request, error_of_group<DescribeGroupsResponse>);
  const auto* told = described_group(reply, "DescribeGroups", description);
  if (told == nullptr) return;
  const auto& group = *told;
  description.group.state = group.group_state;
  description.assignor = group.protocol_data;
  for (const auto& member : group.members) {
    MemberRow& row = description.members.emplace_back();
    row.id = member.member_id;
    row.instance_id = copy(member.group_instance_id);
    row.client_id = member.client_id;
    row.client_host = member.client_host;
    if (group.protocol_type != "consumer") continue;
    row.topics = topics_of(member.member_metadata);
    row.assigned = partitions_of(member.member_assignment);
  }
}

// Committed offsets, and the partitions that somebody has without one.
using OffsetRows = std::map<std::pair<std::string, std::int32_t>, OffsetRow>;

OffsetRow& row_at(OffsetRows& rows, const std::string& topic, std::int32_t partition) {
  OffsetRow& row = rows[{topic, partition}];
  row.topic = topic;
  row.partition = partition;
  return row;
}

Outcome<OffsetRows> committed_offsets(Client& client, const std::string& id) {
  protocol::OffsetFetchRequest request;
  auto& group = request.groups.emplace_back();
  group.group_id = id;
  group.topics = std::nullopt;
  const auto version = client.version_of<protocol::OffsetFetchRequest>(newest_by_name);
  if (!version || *version < groups_version) {
    return std::unexpected(Failure{"the host is too old to tell all offsets of a group"});
  }
  const auto reply = client.ask_loaded<OffsetFetchResponse>(
      request, error_of_group<OffsetFetchResponse>, newest_by_name);
  if (!reply) return std::unexpected(reply.error());
  OffsetRows rows;
  for (const auto& told : reply->message.groups) {
    if (told.error_code != 0) return std::unexpected(kafka_failure("OffsetFetch", told.error_code));
    for (const auto& topic : told.topics) {
      for (const auto& partition : topic.partitions) {
        if (partition.error_code != 0 || partition.committed_offset == no_offset) continue;
        OffsetRow& row = row_at(rows, std::string(topic.name), partition.partition_index);
        row.committed = partition.committed_offset;
        row.metadata = partition.metadata.value_or("");
      }
    }
  }
  return rows;
}

}  // namespace

Outcome<std::vector<GroupRow>> read_groups(Client& client, const GroupFilter& filter) {
  ListGroupsRequest request;
  request.states_filter.assign(filter.states.begin(), filter.states.end());
  request.types_filter.assign(filter.types.begin(), filter.types.end());
  const std::int16_t version = client.version_of<ListGroupsRequest>().value_or(0);
  if ((!filter.states.empty() && version < states_filter_version) ||
      (!filter.types.empty() && version < types_filter_version)) {
    return std::unexpected(Failure{"the host is too old to filter groups"});
  }
  const auto reply = client.ask_loaded<protocol::ListGroupsResponse>(
      request, [](const protocol::ListGroupsResponse& message) { return message.error_code; });
  if (!reply) return std::unexpected(reply.error());
  if (reply->message.error_code != 0) {
    return std::unexpected(kafka_failure("cannot list groups", reply->message.error_code));
  }
  std::vector<GroupRow> groups;
  for (const auto& group : reply->message.groups) {
    groups.push_back({std::string(group.group_id), std::string(group.group_type),
                      std::string(group.protocol_type), std::string(group.group_state)});
  }
  std::ranges::sort(groups, {}, &GroupRow::id);
  return groups;
}

Outcome<GroupRow> find_group(Client& client, const std::string& id) {
  const auto groups = read_groups(client, {});
  if (!groups) return std::unexpected(groups.error());
  const auto at = std::ranges::find(*groups, id, &GroupRow::id);
  if (at != groups->end()) return *at;
  std::vector<std::string> ids;
  for (const GroupRow& group : *groups) ids.push_back(group.id);
  return std::unexpected(Failure{"there is no group '" + id + "'" + did_you_mean(id, ids)});
}

void read_members(Client& client, GroupDescription& description) {
  const std::string type = description.group.type;
  if (type == "consumer") {
    read_consumer_members(client, description);
  } else if (type == "classic" || type.empty()) {
    read_classic_members(client, description);
  } else {
    description.members_unknown =
        "this command does not know how groups of type '" + type + "' tell their members";
  }
  std::ranges::sort(description.members, {}, &MemberRow::id);
}

void read_offsets(Client& client, GroupDescription& description) {
  auto rows = committed_offsets(client, description.group.id);
  if (!rows) {
    description.offsets_unknown = rows.error().what;
    return;
  }
  for (const MemberRow& member : description.members) {
    for (const auto& [topic, partitions] : member.assigned) {
      for (const std::int32_t partition : partitions) {
        row_at(*rows, topic, partition).member = member.id;
      }
    }
  }
  TopicPartitions asked;
  for (const auto& [key, row] : *rows) asked[key.first].push_back(key.second);
  const auto ends = list_offsets(client, asked, latest_timestamp);
  for (auto& [key, row] : *rows) {
    if (!ends) {
      row.end = std::unexpected("not told");
    } else if (const auto at = ends->find(key); at != ends->end()) {
      row.end = at->second;
    }
    description.offsets.push_back(std::move(row));
  }
}

}  // namespace muster::host
