// OffsetDelete: offsets of single partitions, unless the group subscribes to their topic. [shard]
#include <set>
#include <span>

#include <muster/protocol/messages/offset_delete_response.hpp>

#include "answers.hpp"
#include "records.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

using protocol::Error;
using protocol::OffsetDeleteRequest;
using protocol::OffsetDeleteResponse;
using ResponseTopic = OffsetDeleteResponse::OffsetDeleteResponseTopic;
using RequestTopic = OffsetDeleteRequest::OffsetDeleteRequestTopic;
using RequestPartition = OffsetDeleteRequest::OffsetDeleteRequestPartition;

class OffsetDelete {
 public:
  OffsetDelete(const ShardView& view, const sdk::Request& request,
               const OffsetDeleteRequest& message)
      : view_(view),
        caller_(view, request),
        message_(message),
        owner_(view.shard.find_group(message.group_id)) {}

  OffsetDeleteResponse run(sdk::Decision& out);

 private:
  Error group_error() const;
  void sort_topic(const RequestTopic& topic, sdk::Decision& out);
  void refuse(const RequestTopic& topic, std::span<const RequestPartition> partitions, Error error);
  void erase(const RequestTopic& topic, std::span<const RequestPartition* const> partitions,
             sdk::Decision& out);
  std::size_t offset_count() const;

  const ShardView& view_;
  Caller caller_;
  const OffsetDeleteRequest& message_;
  std::optional<sdk::GroupOwner> owner_;
  MergedTopics<ResponseTopic> refused_;
  std::vector<ResponseTopic> results_;
  std::set<const CommittedOffset*> erased_;
};

OffsetDeleteResponse OffsetDelete::run(sdk::Decision& out) {
  OffsetDeleteResponse answer;
  if (const Error error = group_error(); error != Error::none) {
    answer.error_code = code(error);
    return answer;
  }
  for (const RequestTopic& topic : message_.topics) sort_topic(topic, out);
  const bool emptied = !erased_.empty() && erased_.size() == offset_count();
  if (emptied && !owner_) note_emptied(message_.group_id, true, out);
  answer.topics = std::move(refused_).merge(std::move(results_),
                                            [](const ResponseTopic& topic) { return topic.name; });
  return answer;
}

Error OffsetDelete::group_error() const {
  const std::string_view group = message_.group_id;
  if (!caller_.may(sdk::Operation::remove, sdk::Resource::group, group)) {
    return Error::group_authorization_failed;
  }
  if (group.empty()) return Error::invalid_group_id;
  if (!owner_) return view_.offsets.knows(group) ? Error::none : Error::group_id_not_found;
  // Types that keep no offsets here say so to a fetch of nobody's.
  if (!owner_->has_facet() ||
      owner_->check_fetch({group, std::nullopt, -1}) == code(Error::group_id_not_found)) {
    return Error::group_id_not_found;
  }
  // A classic group with members must say what it subscribes to, which only consumers do.
  const auto listed = owner_->describe_listed(group);
  const bool opaque = listed && listed->type == "classic" && listed->state != "Empty" &&
                      listed->protocol_type != "consumer";
  return opaque ? Error::non_empty_group : Error::none;
}

void OffsetDelete::sort_topic(const RequestTopic& topic, sdk::Decision& out) {
  if (!caller_.may(sdk::Operation::read, sdk::Resource::topic, topic.name)) {
    return refuse(topic, topic.partitions, Error::topic_authorization_failed);
  }
  const auto known = view_.shard.metadata().by_name(topic.name);
  if (!known) return refuse(topic, topic.partitions, Error::unknown_topic_or_partition);
  std::vector<const RequestPartition*> existing;
  for (const RequestPartition& partition : topic.partitions) {
    const std::int32_t index = partition.partition_index;
    if (index < 0 || static_cast<std::uint32_t>(index) >= known->partition_count()) {
      refuse(topic, {&partition, 1}, Error::unknown_topic_or_partition);
    } else {
      existing.push_back(&partition);
    }
  }
  if (!existing.empty()) erase(topic, existing, out);
}

void OffsetDelete::refuse(const RequestTopic& topic, std::span<const RequestPartition> partitions,
                          Error error) {
  ResponseTopic& into = refused_.at(topic.name, [&] { return ResponseTopic{topic.name, {}}; });
  for (const RequestPartition& partition : partitions) {
    into.partitions.push_back({partition.partition_index, code(error)});
  }
}

void OffsetDelete::erase(const RequestTopic& topic,
                         std::span<const RequestPartition* const> partitions, sdk::Decision& out) {
  const bool subscribed = owner_ && owner_->subscribes(message_.group_id, topic.name);
  const Error error = subscribed ? Error::group_subscribed_to_topic : Error::none;
  ResponseTopic& result = results_.emplace_back();
  result.name = topic.name;
  for (const RequestPartition* partition : partitions) {
    result.partitions.push_back({partition->partition_index, code(error)});
    if (subscribed) continue;
    const OffsetPlace place{message_.group_id, topic.name, partition->partition_index};
    const CommittedOffset* offset = view_.offsets.find(place);
    if (offset != nullptr && erased_.insert(offset).second) emit_tombstone(place, out);
  }
}

std::size_t OffsetDelete::offset_count() const {
  std::size_t count = 0;
  const TopicOffsets* topics = view_.offsets.find_group(message_.group_id);
  if (topics == nullptr) return 0;
  for (const auto& [name, partitions] : *topics) count += partitions.size();
  return count;
}

}  // namespace

void delete_offsets(const ShardView& view, const sdk::Request& request,
                    OffsetDeleteRequest& message, sdk::Decision& out) {
  respond(OffsetDelete{view, request, message}.run(out), request, out);
}

}  // namespace muster::offsets
