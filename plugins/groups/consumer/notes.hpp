// What a shard remembers besides its records, gone after a reload: notes, and how they read and
// write. Owner: the shard's state; written by replay only. [shard]
#pragma once

#include <muster/protocol/types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "topic_partitions.hpp"

namespace muster::consumer {

// Regular expressions are being matched in the name of the member that asked.
struct RegexRun {
  std::string principal;
  std::string client_host;
  std::int64_t asked_at_ms = 0;

  friend bool operator==(const RegexRun&, const RegexRun&) = default;
};

struct GroupNotes {
  bool refresh_wanted = true;    // the metadata hash may be out of date
  std::int32_t asked_epoch = 0;  // newest epoch an assignor was asked for; 0: none is running
  std::int64_t asked_at_ms = 0;
  std::int64_t assignor_failed_at_ms = 0;  // 0: the last one did not fail
  std::int64_t resolved_version = -1;  // of the metadata the regexes were matched with in this life
  std::optional<RegexRun> regex_run;

  friend bool operator==(const GroupNotes&, const GroupNotes&) = default;
};

// In place of a waiting heartbeat's member epoch: the member has sent another since. It must have
// lost the connection, so nobody reads this answer, and the other was answered by what held then.
// What the new assignment takes from the member is told by the answer to its next heartbeat.
inline constexpr std::int32_t overtaken_epoch = -1;

// A heartbeat, or a classic member's JoinGroup, whose answer waits for the assignor it asked for.
struct WaitingHeartbeat {
  std::string member_id;
  std::int32_t wanted_epoch = 0;  // of the assignment
  std::int32_t member_epoch = 0;  // when it was asked
  bool subscription_changed = false;
  bool wants_assignment = false;  // joined, or sent everything
  std::optional<Partitions> owned;
  std::int16_t version = 0;  // of the request
  bool is_join = false;      // JoinGroup

  friend bool operator==(const WaitingHeartbeat&, const WaitingHeartbeat&) = default;
};

struct GroupNote {
  std::string_view group;
  GroupNotes notes;  // go with the group
};
struct WaitingNote {
  std::string_view group;
  std::uint64_t token = 0;
  std::optional<WaitingHeartbeat> waiting;  // nothing: answered
};
// A classic member was told to rejoin, or has rejoined.
struct RejoinNote {
  std::string_view group;
  std::string_view member;
  bool asked = false;
};
// The newest metadata that brought a new topic.
struct NewTopicsNote {
  std::int64_t version = 0;
};

using Note = std::variant<GroupNote, WaitingNote, RejoinNote, NewTopicsNote>;

struct NoteBytes {
  protocol::Buffer key;
  std::optional<protocol::Buffer> value;
};

NoteBytes to_bytes(const GroupNote& note);
NoteBytes to_bytes(const WaitingNote& note);
NoteBytes to_bytes(const RejoinNote& note);
NoteBytes to_bytes(const NewTopicsNote& note);

// Nothing: not a note of this plugin.
std::optional<Note> read_note(protocol::Bytes key, std::optional<protocol::Bytes> value);

}  // namespace muster::consumer
