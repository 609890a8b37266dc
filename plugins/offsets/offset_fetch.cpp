// OffsetFetch: per group what it committed, or why not. [shard]
#include <algorithm>
#include <optional>

#include "answers.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

using protocol::Error;

constexpr std::int16_t first_version_with_topic_ids = 10;

FetchedPartition nothing(std::int32_t partition, Error error = Error::none) {
  FetchedPartition out;
  out.partition_index = partition;
  out.committed_offset = -1;
  out.error_code = code(error);
  return out;
}

FetchedPartition found(const CommittedOffset& offset) {
  FetchedPartition out;
  out.partition_index = offset.partition;
  out.committed_offset = offset.offset;
  out.committed_leader_epoch = offset.leader_epoch;
  out.metadata = offset.metadata_text();
  return out;
}

// Both known and different: the offset is of an earlier topic of that name.
bool of_another_topic(const CommittedOffset& offset, const protocol::Uuid& asked) {
  return !offset.topic_id.is_zero() && !asked.is_zero() && offset.topic_id != asked;
}

class GroupFetch {
 public:
  GroupFetch(const ShardView& view, const sdk::Request& request, FetchGroup& group)
      : view_(view), version_(request.version()), caller_(view, request), group_(group) {}

  FetchedGroup run();

 private:
  bool by_id() const { return version_ >= first_version_with_topic_ids; }
  bool may_see(std::string_view topic) const {
    return caller_.may(sdk::Operation::describe, sdk::Resource::topic, topic);
  }
  std::optional<Error> refusal(FetchTopic& topic) const;
  std::vector<FetchedTopic> all(const TopicOffsets& offsets) const;
  std::vector<FetchedTopic> asked(const TopicOffsets* offsets) const;
  FetchedTopic read(const FetchTopic& topic, const TopicOffsets* offsets) const;

  const ShardView& view_;
  std::int16_t version_;
  Caller caller_;
  FetchGroup& group_;
};

FetchedGroup GroupFetch::run() {
  if (!caller_.may(sdk::Operation::describe, sdk::Resource::group, group_.group_id)) {
    return fetch_error(group_, code(Error::group_authorization_failed), version_);
  }
  const TopicOffsets* offsets = view_.offsets.find_group(group_.group_id);
  if (const auto owner = view_.shard.find_group(group_.group_id)) {
    const std::int16_t error =
        owner->has_facet()
            ? owner->check_fetch({group_.group_id, group_.member_id, group_.member_epoch})
            : code(Error::group_id_not_found);
    // A group that keeps no offsets here answers as an unknown one: none, and no error.
    if (error == code(Error::group_id_not_found)) {
      offsets = nullptr;
    } else if (error != 0) {
      return fetch_error(group_, error, version_);
    }
  }
  FetchedGroup out;
  out.group_id = group_.group_id;
  if (group_.topics) {
    out.topics = asked(offsets);
  } else if (offsets != nullptr) {
    out.topics = all(*offsets);
  }
  return out;
}

std::vector<FetchedTopic> GroupFetch::all(const TopicOffsets& offsets) const {
  std::vector<FetchedTopic> out;
  for (const auto& [name, partitions] : offsets) {
    if (!may_see(name)) continue;
    FetchedTopic topic;
    topic.name = name;
    if (by_id()) {
      const auto known = view_.shard.metadata().by_name(name);
      if (!known) continue;  // no id, and no other way to name it in this version
      topic.topic_id = to_protocol(known->id());
    }
    for (const CommittedOffset& offset : partitions) topic.partitions.push_back(found(offset));
    out.push_back(std::move(topic));
  }
  return out;
}

// Refused topics come last, as in Kafka.
std::vector<FetchedTopic> GroupFetch::asked(const TopicOffsets* offsets) const {
  std::vector<FetchedTopic> out;
  std::vector<FetchedTopic> refused;
  for (FetchTopic& topic : *group_.topics) {
    const auto error = refusal(topic);
    if (!error) {
      out.push_back(read(topic, offsets));
      continue;
    }
    FetchedTopic& into = refused.emplace_back();
    into.name = topic.name;
    into.topic_id = topic.topic_id;
    for (const std::int32_t partition : topic.partition_indexes) {
      into.partitions.push_back(nothing(partition, *error));
    }
  }
  std::ranges::move(refused, std::back_inserter(out));
  return out;
}

std::optional<Error> GroupFetch::refusal(FetchTopic& topic) const {
  if (by_id()) {
    const auto known = view_.shard.metadata().by_id(to_sdk(topic.topic_id));
    if (!known) return Error::unknown_topic_id;
    topic.name = known->name();
  }
  if (!may_see(topic.name)) return Error::topic_authorization_failed;
  return std::nullopt;
}

FetchedTopic GroupFetch::read(const FetchTopic& topic, const TopicOffsets* offsets) const {
  FetchedTopic out;
  out.name = topic.name;
  out.topic_id = topic.topic_id;
  out.partitions.reserve(topic.partition_indexes.size());
  const PartitionOffsets* partitions = nullptr;
  if (offsets != nullptr) {
    const auto known = offsets->find(topic.name);
    if (known != offsets->end()) partitions = &known->second;
  }
  for (const std::int32_t partition : topic.partition_indexes) {
    const CommittedOffset* offset =
        partitions == nullptr ? nullptr : find_partition(*partitions, partition);
    const bool usable = offset != nullptr && !of_another_topic(*offset, topic.topic_id);
    out.partitions.push_back(usable ? found(*offset) : nothing(partition));
  }
  return out;
}

}  // namespace

void fetch_offsets(const ShardView& view, const sdk::Request& request,
                   protocol::OffsetFetchRequest& message, sdk::Decision& out) {
  std::vector<FetchGroup> groups = groups_of(message, request.version());
  std::vector<FetchedGroup> answers;
  for (FetchGroup& group : groups) answers.push_back(GroupFetch{view, request, group}.run());
  respond(fetched(std::move(answers), request.version()), request, out);
}

}  // namespace muster::offsets
