#include "shard.hpp"

#include <muster/protocol/writer.hpp>

#include <algorithm>

#include "answers.hpp"
#include "classic_groups.hpp"
#include "describe.hpp"
#include "draft.hpp"
#include "export.hpp"
#include "facet.hpp"
#include "heartbeat.hpp"
#include "join.hpp"
#include "leave.hpp"
#include "notes.hpp"
#include "parse.hpp"
#include "rebalance.hpp"
#include "records.hpp"
#include "sync.hpp"

namespace muster::classic {

Shard::Shard(ClassicGroups& plugin, sdk::ShardHost host)
    : settings_(plugin.settings()), host_(plugin.host()), shard_(host) {}

const Group& Shard::existing(std::string_view group) const {
  const Group* found = state_.find(group);
  if (found == nullptr) {
    throw sdk::Failure(MUSTER_UNAVAILABLE, sdk::text("no classic group ", group));
  }
  return *found;
}

namespace {

void rebalance_if_wanted(Draft& draft) {
  if (!draft.header.wants_rebalance()) return;
  prepare_rebalance(draft, "the group comes from another protocol");
}

}  // namespace

void Shard::on_loaded(sdk::Decision& decision) const {
  const Context context = this->context();
  for (const auto& [id, group] : state_.groups()) {
    Draft draft(context, id, *group);
    for (const auto& [member_id, member] : group->roster.members()) draft.start_session(member);
    if (group->roster.members().size() > settings_.max_size) {
      prepare_rebalance(draft, "the group has more members than it may have");
    }
    rebalance_if_wanted(draft);
    draft.emit(decision);
  }
}

void Shard::decide(const sdk::Request& request, sdk::Decision& decision) const {
  using namespace protocol;
  const Context context = this->context();
  switch (request.api_key()) {
    case HeartbeatRequest::api_key:
      return heartbeat(context, request, parse<HeartbeatRequest>(request), decision);
    case JoinGroupRequest::api_key: {
      const auto message = parse<JoinGroupRequest>(request);
      return JoinGroup(context, request, message).decide(decision);
    }
    case SyncGroupRequest::api_key:
      return sync_group(context, request, parse<SyncGroupRequest>(request), decision);
    case LeaveGroupRequest::api_key:
      return leave_group(context, request, parse<LeaveGroupRequest>(request), decision);
    case DescribeGroupsRequest::api_key:
      return describe_groups(context, request, parse<DescribeGroupsRequest>(request), decision);
    default:
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that this protocol does not claim");
  }
}

void Shard::on_timer(std::string_view text, sdk::Decision& decision) const {
  const auto key = parse_timer_key(text);
  if (!key) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "not a timer of this protocol");
  const Group* group = state_.find(key->group);
  if (group == nullptr) return;
  const Context context = this->context();
  Draft draft(context, key->group, *group);
  switch (key->timer) {
    case Timer::session: on_session_end(draft, key->member); break;
    case Timer::join: on_join_end(draft); break;
    case Timer::sync: on_sync_end(draft); break;
  }
  draft.emit(decision);
}

void Shard::on_owner(std::string_view id, bool mine, sdk::Decision& decision) const {
  if (!mine) return finish_handed_over(id, decision);
  const Group& group = existing(id);
  const Context context = this->context();
  Draft draft(context, id, group);
  for (const auto& [member_id, member] : group.roster.members()) draft.start_session(member);
  rebalance_if_wanted(draft);
  draft.emit(decision);
}

void Shard::finish_handed_over(std::string_view group, sdk::Decision& decision) const {
  const auto found = state_.handed_over().find(group);
  if (found == state_.handed_over().end()) return;
  for (const Stranded& one : found->second) {
    const auto version = one.waiting.version;
    decision.complete(one.waiting.token,
                      one.is_join ? join_error(Error::rebalance_in_progress, one.member_id, version)
                                  : sync_error(Error::rebalance_in_progress, version));
  }
  const NoteBytes note = to_bytes(group, HandedOverNote{});
  decision.note(note.key, note.value);
}

void Shard::describe_listed(std::string_view id, sdk::ListedSink& out) const {
  const Header& header = existing(id).header;
  out.listed("classic", header.protocol_type ? std::string_view(*header.protocol_type) : "",
             to_text(header.state));
}

void Shard::check_commit(const sdk::Commit& commit, std::span<std::int16_t> errors,
                         sdk::Decision& decision) const {
  const Group& group = existing(commit.group());
  const std::int16_t error = classic::check_commit(group, commit);
  std::ranges::fill(errors, error);
  if (error != 0 || !renews_session(group)) return;
  const Member* member = group.roster.find(commit.member());
  if (member == nullptr) return;
  std::string key;
  append_key(key, {Timer::session, commit.group(), member->id});
  decision.timer(key, static_cast<std::uint32_t>(member->session_timeout_ms));
}

// Whoever may read the group's offsets may do so in every state.
std::int16_t Shard::check_fetch(const sdk::Fetcher& who) const {
  static_cast<void>(existing(who.group));
  return 0;
}

bool Shard::subscribes(std::string_view group, std::string_view topic) const {
  return classic::subscribes(existing(group), topic);
}

std::int16_t Shard::remove(std::string_view id, sdk::Decision& decision) const {
  const Group* group = state_.find(id);
  if (group == nullptr) return protocol::code(Error::group_id_not_found);
  if (!group->header.is(GroupState::empty)) return protocol::code(Error::non_empty_group);
  decision.tombstone(record_key(id));
  return 0;
}

sdk::Expiry Shard::expires(std::string_view group) const {
  return classic::expires(existing(group));
}

// Who waits is told at once to join again, even if the conversion is then refused.
void Shard::export_group(std::string_view id, sdk::Decision& decision, sdk::RecordSink& out) const {
  const Group& group = existing(id);
  classic::export_group(id, group, out);
  const Context context = this->context();
  Draft draft(context, id, group);
  bool is_waited = false;
  for (const auto& [member_id, member] : group.roster.members()) {
    is_waited = is_waited || member.join || member.sync;
    overtake_join(draft, member);
    overtake_sync(draft, member);
  }
  if (is_waited) draft.change_all(Change::released);
  draft.emit(decision);
}

void Shard::digest(sdk::Digest part, sdk::BytesSink& out) const {
  protocol::Buffer bytes;
  const auto add = [&](std::string_view group, const Note& note) {
    const NoteBytes of = to_bytes(group, note);
    bytes.insert(bytes.end(), of.key.begin(), of.key.end());
    bytes.insert(bytes.end(), of.value.begin(), of.value.end());
  };
  for (const auto& [id, group] : state_.groups()) {
    if (part == sdk::Digest::durable) {
      protocol::Writer writer(bytes);
      writer.write_string(id, true);
      writer.write_int64(static_cast<std::int64_t>(group->stored));
      continue;
    }
    add(id, HeaderNote{group->header});
    for (const auto& [member_id, member] : group->roster.members()) add(id, MemberNote{member});
    for (const std::string& member_id : group->pending) add(id, PendingNote{member_id, true});
  }
  if (part == sdk::Digest::noted) {
    for (const auto& [id, stranded] : state_.handed_over()) {
      for (const Stranded& one : stranded) add(id, PendingNote{one.member_id, one.is_join});
    }
  }
  out.write(sdk::Bytes(bytes));
}

}  // namespace muster::classic
