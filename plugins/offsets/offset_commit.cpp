// OffsetCommit: what the authoriser and the metadata refuse, partition by partition; then the group
// is asked once; what is left is written. [shard]
#include <algorithm>
#include <optional>
#include <span>

#include <muster/protocol/java_string.hpp>

#include "answers.hpp"
#include "records.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

using protocol::Error;
using protocol::OffsetCommitRequest;
using protocol::OffsetCommitResponse;
using ResponseTopic = OffsetCommitResponse::OffsetCommitResponseTopic;
using RequestTopic = OffsetCommitRequest::OffsetCommitRequestTopic;
using RequestPartition = OffsetCommitRequest::OffsetCommitRequestPartition;

constexpr std::int16_t first_version_with_topic_ids = 10;
constexpr std::int16_t first_version_with_group_id_not_found = 9;

std::string_view bytes_of(const protocol::Uuid& id) {
  return protocol::as_text(protocol::Bytes{id.bytes});
}

class OffsetCommit {
 public:
  OffsetCommit(const ShardView& view, const sdk::Request& request, OffsetCommitRequest& message)
      : view_(view), request_(request), caller_(view, request), message_(message) {}

  void run(sdk::Decision& out);

 private:
  // A partition that exists and that the caller may commit.
  struct Wanted {
    const RequestTopic* topic;
    const RequestPartition* partition;
    bool metadata_too_large;
    std::int16_t error = 0;
  };

  bool by_id() const { return request_.version() >= first_version_with_topic_ids; }
  std::string_view identity(const ResponseTopic& topic) const {
    return by_id() ? bytes_of(topic.topic_id) : topic.name;
  }

  void sort_topic(RequestTopic& topic);
  void refuse(const RequestTopic& topic, std::span<const RequestPartition> partitions, Error error);
  void want(const RequestTopic& topic, const RequestPartition& partition);
  void ask_group();
  void ask_owner(const sdk::GroupOwner& owner, const std::vector<Wanted*>& asked);
  Error unowned_error(bool taken) const;
  void write(sdk::Decision& out) const;
  std::vector<ResponseTopic> results() const;

  const ShardView& view_;
  const sdk::Request& request_;
  Caller caller_;
  OffsetCommitRequest& message_;
  std::vector<Wanted> wanted_;
  MergedTopics<ResponseTopic> refused_;
};

void OffsetCommit::run(sdk::Decision& out) {
  if (!caller_.may(sdk::Operation::read, sdk::Resource::group, message_.group_id)) {
    const auto answer = commit_error(message_, code(Error::group_authorization_failed));
    return respond(answer, request_, out);
  }
  for (RequestTopic& topic : message_.topics) sort_topic(topic);
  if (!wanted_.empty()) {
    ask_group();
    write(out);
  }
  OffsetCommitResponse answer;
  answer.topics = std::move(refused_).merge(
      results(), [this](const ResponseTopic& topic) { return identity(topic); });
  respond(answer, request_, out);
}

// As Kafka: an unknown id, then who may, then what exists.
void OffsetCommit::sort_topic(RequestTopic& topic) {
  const sdk::Metadata metadata = view_.shard.metadata();
  const std::optional<sdk::Topic> known =
      by_id() ? metadata.by_id(to_sdk(topic.topic_id)) : metadata.by_name(topic.name);
  if (by_id() && !known) return refuse(topic, topic.partitions, Error::unknown_topic_id);
  if (by_id()) topic.name = known->name();
  if (!caller_.may(sdk::Operation::read, sdk::Resource::topic, topic.name)) {
    return refuse(topic, topic.partitions, Error::topic_authorization_failed);
  }
  if (!known) return refuse(topic, topic.partitions, Error::unknown_topic_or_partition);
  topic.topic_id = to_protocol(known->id());
  for (const RequestPartition& partition : topic.partitions) {
    const std::int32_t index = partition.partition_index;
    if (index < 0 || static_cast<std::uint32_t>(index) >= known->partition_count()) {
      refuse(topic, {&partition, 1}, Error::unknown_topic_or_partition);
    } else {
      want(topic, partition);
    }
  }
}

void OffsetCommit::refuse(const RequestTopic& topic, std::span<const RequestPartition> partitions,
                          Error error) {
  const ResponseTopic empty{topic.name, topic.topic_id, {}};
  ResponseTopic& into = refused_.at(identity(empty), [&] { return empty; });
  for (const RequestPartition& partition : partitions) {
    into.partitions.push_back({partition.partition_index, code(error)});
  }
}

void OffsetCommit::want(const RequestTopic& topic, const RequestPartition& partition) {
  const auto limit = static_cast<std::size_t>(view_.protocol.metadata_max_bytes());
  const std::string_view metadata = partition.committed_metadata.value_or(std::string_view{});
  const bool too_large = metadata.size() > limit && protocol::java_length(metadata) > limit;
  wanted_.push_back({&topic, &partition, too_large});
}

// One question for all partitions. Those with too much metadata are left out of it, as in Kafka,
// unless there are no others: whether the member may commit at all comes first.
void OffsetCommit::ask_group() {
  std::vector<Wanted*> asked;
  for (Wanted& wanted : wanted_) {
    if (!wanted.metadata_too_large) asked.push_back(&wanted);
  }
  if (asked.empty()) {
    for (Wanted& wanted : wanted_) asked.push_back(&wanted);
  }
  const auto owner = view_.shard.find_group(message_.group_id);
  if (owner && owner->has_facet()) {
    ask_owner(*owner, asked);
  } else {
    for (Wanted* wanted : asked) wanted->error = code(unowned_error(owner.has_value()));
  }
  const bool all_refused =
      std::ranges::all_of(asked, [](const Wanted* wanted) { return wanted->error != 0; });
  for (Wanted& wanted : wanted_) {
    if (!wanted.metadata_too_large) continue;
    wanted.error = all_refused ? asked.front()->error : code(Error::offset_metadata_too_large);
  }
}

void OffsetCommit::ask_owner(const sdk::GroupOwner& owner, const std::vector<Wanted*>& asked) {
  std::vector<muster_topic_partition> partitions;
  for (const Wanted* wanted : asked) {
    partitions.push_back({sdk::to_uuid(to_sdk(wanted->topic->topic_id)),
                          sdk::to_str(wanted->topic->name), wanted->partition->partition_index});
  }
  muster_commit commit{};
  commit.struct_size = sizeof commit;
  commit.api_key = request_.api_key();
  commit.version = request_.version();
  commit.group = sdk::to_str(message_.group_id);
  commit.member = sdk::to_str(message_.member_id);
  commit.instance = sdk::to_nullable_str(message_.group_instance_id);
  commit.epoch = message_.generation_id_or_member_epoch;
  commit.partitions = partitions.data();
  commit.partition_count = static_cast<std::uint32_t>(partitions.size());
  std::vector<std::int16_t> errors(asked.size(), 0);
  owner.check_commit(commit, errors);
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->error = errors[i];
}

// An id that no protocol owns takes commits of those who are no members. `taken`: by records that
// no loaded plugin can read.
Error OffsetCommit::unowned_error(bool taken) const {
  if (message_.generation_id_or_member_epoch < 0) {
    return taken ? Error::group_id_not_found : Error::none;
  }
  if (!taken && view_.offsets.knows(message_.group_id)) return Error::unknown_member_id;
  return request_.version() >= first_version_with_group_id_not_found ? Error::group_id_not_found
                                                                     : Error::illegal_generation;
}

void OffsetCommit::write(sdk::Decision& out) const {
  const std::int64_t now_ms = view_.shard.now_ms();
  // Versions 2-4 may say how long. Wraps as Java's long does: the value is the client's.
  const std::int64_t retention_ms = message_.retention_time_ms;
  const auto expire_ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(now_ms) +
                                                   static_cast<std::uint64_t>(retention_ms));
  OffsetEmitter emitter(out);
  for (const Wanted& wanted : wanted_) {
    if (wanted.error != 0) continue;
    OffsetValue value;
    value.offset = wanted.partition->committed_offset;
    value.leader_epoch = wanted.partition->committed_leader_epoch;
    value.metadata = wanted.partition->committed_metadata.value_or(std::string_view{});
    value.commit_ms = now_ms;
    value.expire_ms = retention_ms == -1 ? -1 : expire_ms;
    value.topic_id = wanted.topic->topic_id;
    emitter.emit({message_.group_id, wanted.topic->name, wanted.partition->partition_index}, value);
  }
}

std::vector<ResponseTopic> OffsetCommit::results() const {
  std::vector<ResponseTopic> out;
  const RequestTopic* current = nullptr;
  for (const Wanted& wanted : wanted_) {
    if (wanted.topic != current) {
      current = wanted.topic;
      ResponseTopic& made = out.emplace_back();
      made.name = current->name;
      made.topic_id = current->topic_id;
      made.partitions.reserve(current->partitions.size());
    }
    out.back().partitions.push_back({wanted.partition->partition_index, wanted.error});
  }
  return out;
}

}  // namespace

void commit_offsets(const ShardView& view, const sdk::Request& request,
                    OffsetCommitRequest& message, sdk::Decision& out) {
  OffsetCommit{view, request, message}.run(out);
}

}  // namespace muster::offsets
