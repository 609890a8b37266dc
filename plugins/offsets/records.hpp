// The bytes that the offsets plugin emits and replays: Kafka's OffsetCommit records, and notes of
// its own. Free of state.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <muster/protocol/types.hpp>
#include <muster/sdk/decision.hpp>
#include <muster/sdk/types.hpp>

#include "committed_offsets.hpp"

namespace muster::offsets {

// What is stored of a commit. No expire_ms: Kafka's newest value; with it: version 1, the only one
// that can say when an offset expires (but neither leader epoch nor topic id).
struct OffsetValue {
  std::int64_t offset = 0;
  std::int32_t leader_epoch = -1;
  std::string_view metadata;
  std::int64_t commit_ms = 0;
  std::int64_t expire_ms = -1;
  protocol::Uuid topic_id;
};

// One after the other into the same buffers: a commit has many.
class OffsetEmitter {
 public:
  explicit OffsetEmitter(sdk::Decision& out) : out_(out) {}
  void emit(const OffsetPlace& place, const OffsetValue& value);

 private:
  sdk::Decision& out_;
  protocol::Buffer key_, value_;
};
// Returns how many bytes that took.
std::size_t emit_tombstone(const OffsetPlace& place, sdk::Decision& out);
// Moves an offset from a key of Kafka's first format to one of today's.
void emit_upgrade(const OffsetPlace& place, const CommittedOffset& offset, sdk::Decision& out);

void note_emptied(std::string_view group, bool set, sdk::Decision& out);
void note_deleted_topic(const DeletedTopic& topic, bool set, sdk::Decision& out);

// Throw sdk::Failure(MUSTER_CORRUPT) for what cannot be read.
void replay_record(sdk::Bytes key, std::optional<sdk::Bytes> value, CommittedOffsets& into);
void replay_note(sdk::Bytes key, std::optional<sdk::Bytes> value, CommittedOffsets& into);

}  // namespace muster::offsets
