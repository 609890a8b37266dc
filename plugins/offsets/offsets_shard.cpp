#include "offsets_shard.hpp"

#include <algorithm>
#include <limits>

#include "answers.hpp"
#include "records.hpp"
#include "shard_view.hpp"
#include "sweep.hpp"

namespace muster::offsets {

namespace {

constexpr std::string_view retention_timer = "retention";
constexpr std::string_view deleted_topics_timer = "deleted topics";
constexpr std::uint32_t next_step_ms = 1;

std::uint32_t retention_check_ms(const OffsetsProtocol& protocol) {
  constexpr std::int64_t longest = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(protocol.retention_check_interval_ms(), longest));
}

template <class Message>
using Handler = void (*)(const ShardView&, const sdk::Request&, Message&, sdk::Decision&);

// A body that cannot be read closes the connection, as in Kafka.
template <class Message>
void handle(Handler<Message> handler, const ShardView& view, const sdk::Request& request,
            sdk::Decision& out) {
  auto message = protocol::decode<Message>(request.body(), request.version());
  if (!message) return out.close_connection(request.connection());
  handler(view, request, *message, out);
}

}  // namespace

void OffsetsShard::replay(const sdk::Replayed& replayed, sdk::Directory&) {
  if (replayed.kind == sdk::Kind::note) return replay_note(replayed.key, replayed.value, offsets_);
  replay_record(replayed.key, replayed.value, offsets_);
}

void OffsetsShard::on_loaded(sdk::Decision& out) const {
  for (const auto& [topic, partition] : offsets_.legacy) {
    const OffsetPlace place{topic.first, topic.second, partition};
    if (const CommittedOffset* offset = offsets_.find(place)) emit_upgrade(place, *offset, out);
  }
  out.timer(retention_timer, retention_check_ms(protocol_));
}

void OffsetsShard::decide(const sdk::Request& request, sdk::Decision& out) const {
  const ShardView view{protocol_, host_, offsets_};
  switch (request.api_key()) {
    case protocol::OffsetCommitRequest::api_key: return handle(&commit_offsets, view, request, out);
    case protocol::OffsetFetchRequest::api_key: return handle(&fetch_offsets, view, request, out);
    case protocol::OffsetDeleteRequest::api_key: return handle(&delete_offsets, view, request, out);
    case protocol::ListGroupsRequest::api_key: return handle(&list_groups, view, request, out);
    case protocol::DescribeGroupsRequest::api_key:
      return handle(&describe_groups, view, request, out);
    case protocol::DeleteGroupsRequest::api_key: return handle(&delete_groups, view, request, out);
    default: throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that was not claimed");
  }
}

void OffsetsShard::on_timer(std::string_view key, sdk::Decision& out) const {
  const ShardView view{protocol_, host_, offsets_};
  if (key == deleted_topics_timer) {
    if (!sweep_deleted_topics(view, offsets_.deleted_topics, out)) {
      return out.timer(deleted_topics_timer, next_step_ms);
    }
    for (const DeletedTopic& topic : offsets_.deleted_topics) {
      note_deleted_topic(topic, false, out);
    }
    return;
  }
  const bool done = sweep_expired(view, out);
  out.timer(retention_timer, done ? retention_check_ms(protocol_) : next_step_ms);
}

void OffsetsShard::on_metadata(const sdk::Metadata&, sdk::TopicChanges changes,
                               sdk::Decision& out) const {
  std::set<DeletedTopic> deleted = offsets_.deleted_topics;
  for (const sdk::TopicChange& change : changes) {
    if (change.what != sdk::Change::deleted) continue;
    deleted.insert({std::string{change.name}, to_protocol(change.id)});
  }
  if (deleted == offsets_.deleted_topics) return;
  const ShardView view{protocol_, host_, offsets_};
  if (sweep_deleted_topics(view, deleted, out)) return;
  for (const DeletedTopic& topic : deleted) note_deleted_topic(topic, true, out);
  out.timer(deleted_topics_timer, next_step_ms);
}

void OffsetsShard::digest(sdk::Digest part, sdk::BytesSink& out) const {
  protocol::Buffer bytes;
  {
    protocol::Writer writer{bytes};
    if (part == sdk::Digest::noted) {
      for (const std::string& group : offsets_.emptied) writer.write_string(group, true);
      for (const DeletedTopic& topic : offsets_.deleted_topics) {
        writer.write_string(topic.name, true);
        writer.write_uuid(topic.id);
      }
    } else {
      for (const auto& [group, topics] : offsets_.groups()) {
        for (const auto& [topic, partitions] : topics) {
          for (const CommittedOffset& offset : partitions) {
            writer.write_string(group, true);
            writer.write_string(topic, true);
            writer.write_int32(offset.partition);
            writer.write_int64(offset.offset);
            writer.write_int32(offset.leader_epoch);
            writer.write_int64(offset.commit_ms);
            writer.write_int64(offset.expire_ms);
            writer.write_uuid(offset.topic_id);
            writer.write_string(offset.metadata_text(), true);
          }
        }
      }
    }
  }
  out.write(bytes);
}

}  // namespace muster::offsets
