#include "answers.hpp"

#include <unordered_set>

namespace muster::offsets {

namespace {

constexpr std::int16_t first_version_with_groups = 8;
constexpr std::int16_t first_version_with_top_level_error = 2;

FetchedPartition no_offset(std::int32_t partition, std::int16_t error) {
  FetchedPartition out;
  out.partition_index = partition;
  out.committed_offset = -1;
  out.error_code = error;
  return out;
}

}  // namespace

std::vector<FetchGroup> groups_of(protocol::OffsetFetchRequest& message, std::int16_t version) {
  if (version >= first_version_with_groups) return std::move(message.groups);
  FetchGroup group;
  group.group_id = message.group_id;
  if (!message.topics) {
    group.topics.reset();
  } else {
    group.topics.emplace();
    for (auto& topic : *message.topics) {
      FetchTopic& wanted = group.topics->emplace_back();
      wanted.name = topic.name;
      wanted.partition_indexes = std::move(topic.partition_indexes);
    }
  }
  std::vector<FetchGroup> groups;
  groups.push_back(std::move(group));
  return groups;
}

protocol::OffsetFetchResponse fetched(std::vector<FetchedGroup> groups, std::int16_t version) {
  protocol::OffsetFetchResponse out;
  if (version >= first_version_with_groups) {
    out.groups = std::move(groups);
    return out;
  }
  out.error_code = groups.front().error_code;
  for (const FetchedTopic& from : groups.front().topics) {
    auto& topic = out.topics.emplace_back();
    topic.name = from.name;
    for (const FetchedPartition& partition : from.partitions) {
      topic.partitions.push_back({partition.partition_index, partition.committed_offset,
                                  partition.committed_leader_epoch, partition.metadata,
                                  partition.error_code});
    }
  }
  return out;
}

FetchedGroup fetch_error(const FetchGroup& group, std::int16_t error, std::int16_t version) {
  FetchedGroup out;
  out.group_id = group.group_id;
  if (version >= first_version_with_top_level_error) {
    out.error_code = error;
    return out;
  }
  for (const FetchTopic& topic : *group.topics) {
    FetchedTopic& into = out.topics.emplace_back();
    into.name = topic.name;
    for (const std::int32_t partition : topic.partition_indexes) {
      into.partitions.push_back(no_offset(partition, error));
    }
  }
  return out;
}

protocol::OffsetCommitResponse commit_error(const protocol::OffsetCommitRequest& message,
                                            std::int16_t error) {
  protocol::OffsetCommitResponse out;
  for (const auto& topic : message.topics) {
    auto& into = out.topics.emplace_back();
    into.name = topic.name;
    into.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      into.partitions.push_back({partition.partition_index, error});
    }
  }
  return out;
}

std::vector<std::string_view> distinct(const std::vector<std::string_view>& names) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string_view> out;
  for (const std::string_view name : names) {
    if (seen.insert(name).second) out.push_back(name);
  }
  return out;
}

}  // namespace muster::offsets
