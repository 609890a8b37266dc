// What a shard remembers besides its records, gone after a reload: notes, and how they read and
// write. Owner: the shard's state; written by replay only. [shard]
#pragma once

#include <muster/protocol/types.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "group.hpp"
#include "member.hpp"

namespace muster::classic {

struct HeaderNote {
  Header header;
};
struct MemberNote {
  Member member;  // as it is from now on
};
struct GoneNote {
  std::string member_id;
};
struct PendingNote {
  std::string member_id;
  bool is_pending = false;
};
// All members at once.
struct ChangeNote {
  Change change{};
};
// The requests that were parked when another protocol took the group over are answered.
struct HandedOverNote {};

using Note =
    std::variant<HeaderNote, MemberNote, GoneNote, PendingNote, ChangeNote, HandedOverNote>;

struct NoteBytes {
  protocol::Buffer key;
  protocol::Buffer value;
};
NoteBytes to_bytes(std::string_view group, const Note& note);

struct ReadNote {
  std::string_view group;
  Note note;
};
// Nothing: not a note of this plugin.
std::optional<ReadNote> read_note(protocol::Bytes key, protocol::Bytes value);

}  // namespace muster::classic
