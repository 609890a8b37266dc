// Records and notes into memory: the only writer. [shard]
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>

#include "notes.hpp"
#include "records.hpp"
#include "state.hpp"

namespace muster::classic {
namespace {

[[noreturn]] void corrupt(std::string_view what) {
  throw sdk::Failure(MUSTER_CORRUPT, sdk::text("classic group record: ", what));
}

template <class Message>
Message readable(std::expected<Message, protocol::DecodeError> decoded) {
  if (!decoded) corrupt(decoded.error().what);
  return *std::move(decoded);
}

struct Apply {
  Group& group;

  void operator()(HeaderNote& note) const { group.header = std::move(note.header); }
  void operator()(MemberNote& note) const { group.roster.put(std::move(note.member)); }
  void operator()(GoneNote& note) const { group.roster.erase(note.member_id); }
  void operator()(PendingNote& note) const {
    if (note.is_pending) {
      group.pending.insert(std::move(note.member_id));
    } else {
      group.pending.erase(note.member_id);
    }
  }
  void operator()(ChangeNote& note) const { group.roster.change_all(note.change); }
  void operator()(HandedOverNote&) const {}
};

std::vector<Stranded> stranded_in(const Group& group) {
  std::vector<Stranded> out;
  for (const auto& [id, member] : group.roster.members()) {
    if (member.join) out.push_back({true, *member.join, id});
    if (member.sync) out.push_back({false, *member.sync, id});
  }
  return out;
}

}  // namespace

const Group* State::find(std::string_view group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? nullptr : found->second.get();
}

void State::replay(const sdk::Replayed& replayed, sdk::Directory& directory) {
  if (replayed.kind == sdk::Kind::note) return replay_note(replayed);
  replay_record(replayed, directory);
}

void State::replay_record(const sdk::Replayed& replayed, sdk::Directory& directory) {
  const auto key = readable(protocol::decode_key<protocol::GroupMetadataKey>(replayed.key));
  if (!replayed.value) return remove(key.group, directory);
  auto value = readable(protocol::decode_value<protocol::GroupMetadataValue>(*replayed.value));
  // Older records do not say since when; whoever is in them has synced.
  const bool says_since = protocol::Reader(*replayed.value).read_int16() >= 2;
  if (!says_since && !value.members.empty()) value.current_state_timestamp = 0;
  auto found = groups_.find(key.group);
  if (found == groups_.end()) {
    directory.own(key.group);
    found = groups_.try_emplace(std::string(key.group), std::make_unique<Group>()).first;
  }
  Group& group = *found->second;
  classic::apply(value, group);
  group.stored = hash_of(*replayed.value);
}

void State::remove(std::string_view group, sdk::Directory& directory) {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return;
  std::vector<Stranded> stranded = stranded_in(*found->second);
  if (!stranded.empty()) handed_over_.insert_or_assign(std::string(group), std::move(stranded));
  groups_.erase(found);
  directory.disown(group);
}

void State::replay_note(const sdk::Replayed& replayed) {
  if (!replayed.value) corrupt("unknown note");
  auto read = read_note(replayed.key, *replayed.value);
  if (!read) corrupt("unknown note");
  if (std::holds_alternative<HandedOverNote>(read->note)) {
    const auto gone = handed_over_.find(read->group);
    if (gone != handed_over_.end()) handed_over_.erase(gone);
    return;
  }
  const auto found = groups_.find(read->group);
  if (found == groups_.end()) return;
  std::visit(Apply{*found->second}, read->note);
  found->second->changed();
}

}  // namespace muster::classic
