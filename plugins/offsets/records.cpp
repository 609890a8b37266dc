#include "records.hpp"

#include <string>

#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/legacy_offset_commit_key.hpp>
#include <muster/protocol/records/legacy_offset_commit_value.hpp>
#include <muster/protocol/records/offset_commit_key.hpp>
#include <muster/protocol/records/offset_commit_value.hpp>
#include <muster/sdk/failure.hpp>

namespace muster::offsets {

namespace {

using protocol::Buffer;

constexpr std::int16_t value_version = 4;
constexpr std::int16_t value_version_with_expiry = 1;

enum class NoteType : std::uint8_t { emptied_group = 1, deleted_topic = 2 };

template <class Key>
Key key_at(const OffsetPlace& place) {
  Key key;
  key.group = place.group;
  key.topic = place.topic;
  key.partition = place.partition;
  return key;
}

template <class Key>
Buffer key_of(const OffsetPlace& place) {
  return protocol::encode_key(key_at<Key>(place));
}

template <class Message>
Message readable(std::expected<Message, protocol::DecodeError> decoded) {
  if (!decoded) {
    throw sdk::Failure(MUSTER_CORRUPT, "offset record: " + std::string{decoded.error().what});
  }
  return *std::move(decoded);
}

std::unique_ptr<const std::string> metadata_of(std::string_view text) {
  return text.empty() ? nullptr : std::make_unique<const std::string>(text);
}

template <class Key, class Value>
OffsetPlace replay_offset(sdk::Bytes key, std::optional<sdk::Bytes> value, Key& at,
                          CommittedOffsets& into) {
  at = readable(protocol::decode_key<Key>(key));
  const OffsetPlace place{at.group, at.topic, at.partition};
  if (!value) {
    into.erase(place);
    return place;
  }
  const Value stored = readable(protocol::decode_value<Value>(*value));
  CommittedOffset offset;
  offset.offset = stored.offset;
  offset.commit_ms = stored.commit_timestamp;
  offset.metadata = metadata_of(stored.metadata);
  if constexpr (requires { stored.topic_id; }) {
    offset.expire_ms = stored.expire_timestamp;
    offset.leader_epoch = stored.leader_epoch;
    offset.topic_id = stored.topic_id;
  }
  into.put(place, std::move(offset));
  return place;
}

void replay_legacy(sdk::Bytes key, std::optional<sdk::Bytes> value, CommittedOffsets& into) {
  protocol::LegacyOffsetCommitKey at;
  const OffsetPlace place =
      replay_offset<protocol::LegacyOffsetCommitKey, protocol::LegacyOffsetCommitValue>(key, value,
                                                                                        at, into);
  const std::pair entry{std::pair{std::string{place.group}, std::string{place.topic}},
                        place.partition};
  if (value) {
    into.legacy.insert(entry);
  } else {
    into.legacy.erase(entry);
  }
}

void note(const Buffer& key, bool set, sdk::Decision& out) {
  static constexpr std::uint8_t there = 1;
  if (set) return out.note(key, sdk::Bytes{&there, 1});
  out.erase_note(key);
}

}  // namespace

void OffsetEmitter::emit(const OffsetPlace& place, const OffsetValue& value) {
  protocol::OffsetCommitValue stored;
  stored.offset = value.offset;
  stored.leader_epoch = value.leader_epoch;
  stored.metadata = value.metadata;
  stored.commit_timestamp = value.commit_ms;
  stored.expire_timestamp = value.expire_ms;
  stored.topic_id = value.topic_id;
  const std::int16_t version = value.expire_ms == -1 ? value_version : value_version_with_expiry;
  key_.clear();
  value_.clear();
  protocol::encode_key(key_at<protocol::OffsetCommitKey>(place), key_);
  protocol::encode_value(stored, version, value_);
  out_.record(key_, value_);
}

std::size_t emit_tombstone(const OffsetPlace& place, sdk::Decision& out) {
  const Buffer key = key_of<protocol::OffsetCommitKey>(place);
  out.tombstone(key);
  return key.size();
}

void emit_upgrade(const OffsetPlace& place, const CommittedOffset& offset, sdk::Decision& out) {
  out.tombstone(key_of<protocol::LegacyOffsetCommitKey>(place));
  OffsetEmitter(out).emit(place, {offset.offset, offset.leader_epoch, offset.metadata_text(),
                                  offset.commit_ms, offset.expire_ms, offset.topic_id});
}

void note_emptied(std::string_view group, bool set, sdk::Decision& out) {
  Buffer key{static_cast<std::uint8_t>(NoteType::emptied_group)};
  key.insert(key.end(), group.begin(), group.end());
  note(key, set, out);
}

void note_deleted_topic(const DeletedTopic& topic, bool set, sdk::Decision& out) {
  Buffer key{static_cast<std::uint8_t>(NoteType::deleted_topic)};
  key.insert(key.end(), topic.id.bytes.begin(), topic.id.bytes.end());
  key.insert(key.end(), topic.name.begin(), topic.name.end());
  note(key, set, out);
}

void replay_record(sdk::Bytes key, std::optional<sdk::Bytes> value, CommittedOffsets& into) {
  const auto type = protocol::record_type(key);
  if (type == protocol::LegacyOffsetCommitKey::record_type) return replay_legacy(key, value, into);
  protocol::OffsetCommitKey at;
  replay_offset<protocol::OffsetCommitKey, protocol::OffsetCommitValue>(key, value, at, into);
}

void replay_note(sdk::Bytes key, std::optional<sdk::Bytes> value, CommittedOffsets& into) {
  if (key.empty()) throw sdk::Failure(MUSTER_CORRUPT, "a note without a type");
  const std::string_view rest = sdk::as_text(key.subspan(1));
  switch (static_cast<NoteType>(key[0])) {
    case NoteType::emptied_group: {
      if (value) {
        into.emptied.emplace(rest);
      } else if (const auto found = into.emptied.find(rest); found != into.emptied.end()) {
        into.emptied.erase(found);
      }
      return;
    }
    case NoteType::deleted_topic: {
      DeletedTopic topic;
      if (rest.size() < topic.id.bytes.size()) break;
      std::memcpy(topic.id.bytes.data(), rest.data(), topic.id.bytes.size());
      topic.name = rest.substr(topic.id.bytes.size());
      if (value) {
        into.deleted_topics.insert(topic);
      } else {
        into.deleted_topics.erase(topic);
      }
      return;
    }
  }
  throw sdk::Failure(MUSTER_CORRUPT, "a note of an unknown type");
}

}  // namespace muster::offsets
