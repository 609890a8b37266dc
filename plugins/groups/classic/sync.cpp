#include "sync.hpp"

#include <map>
#include <utility>

#include "answers.hpp"
#include "check_member.hpp"
#include "rebalance.hpp"

namespace muster::classic {
namespace {

using protocol::SyncGroupRequest;

constexpr std::int16_t first_version_with_protocol = 5;

bool differs(std::optional<std::string_view> sent, const std::optional<std::string>& known) {
  return sent && known && *sent != *known;
}

Error check(const Draft& draft, const SyncGroupRequest& message) {
  const Header& header = draft.header;
  if (header.is(GroupState::empty)) return Error::unknown_member_id;
  const Error error = check_member(draft.roster(), {message.member_id, message.group_instance_id});
  if (error != Error::none) return error;
  if (message.generation_id != header.generation) return Error::illegal_generation;
  if (differs(message.protocol_type, header.protocol_type) ||
      differs(message.protocol_name, header.protocol_name)) {
    return Error::inconsistent_group_protocol;
  }
  return header.is(GroupState::preparing_rebalance) ? Error::rebalance_in_progress : Error::none;
}

// The member has said that it is there.
void note_sync(Draft& draft, Member member) {
  const bool was_pending = member.sync_pending;
  member.sync_pending = false;
  draft.put(std::move(member));
  if (was_pending && draft.roster().tally().pending_syncs() == 0) {
    draft.cancel_timer(Timer::sync);
  }
}

void assign(Draft& draft, const SyncGroupRequest& message) {
  Assignments assignments;
  for (const auto& one : message.assignments) {
    assignments.insert_or_assign(one.member_id, one.assignment);
  }
  const protocol::Bytes own = share_of(assignments, message.member_id);
  Member leader = *draft.roster().find(message.member_id);
  // The note is replayed after the record, so it must say the same.
  leader.assignment = std::make_shared<const protocol::Buffer>(own.begin(), own.end());
  leader.sync = draft.request();
  note_sync(draft, std::move(leader));
  draft.store(&assignments);
  draft.roster().each([&](const Member& member) {
    if (!member.sync) return;
    const protocol::Bytes share = share_of(assignments, member.id);
    draft.answer(*member.sync, sync_answer(draft.header, share, member.sync->version));
    draft.start_session(member);
  });
  draft.change_all(Change::syncs_answered);
  draft.move_to(GroupState::stable);
}

void sync(Draft& draft, const SyncGroupRequest& message) {
  const Waiting request = draft.request();
  if (const Error error = check(draft, message); error != Error::none) {
    return draft.answer(sync_error(error, request.version));
  }
  Member member = *draft.roster().find(message.member_id);
  if (draft.header.is(GroupState::stable)) {
    draft.answer(sync_answer(draft.header, member.assigned(), request.version));
    // Kafka does not; but the member believes itself alive from here on.
    draft.start_session(member);
    if (member.sync_pending) note_sync(draft, std::move(member));
    return;
  }
  overtake_sync(draft, member);
  if (draft.header.is_leader(member.id)) return assign(draft, message);
  member.sync = request;
  note_sync(draft, std::move(member));
}

}  // namespace

std::optional<protocol::Buffer> check_sync(const SyncGroupRequest& message,
                                           const sdk::Request& request, const sdk::Host& host) {
  const std::int16_t version = request.version();
  if (version >= first_version_with_protocol &&
      (!message.protocol_type || !message.protocol_name)) {
    return sync_error(Error::inconsistent_group_protocol, version);
  }
  if (!host.allowed({request.principal(), request.client_host()}, sdk::Operation::read,
                    sdk::Resource::group, message.group_id)) {
    return sync_error(Error::group_authorization_failed, version);
  }
  if (message.group_id.empty()) return sync_error(Error::invalid_group_id, version);
  return std::nullopt;
}

void sync_group(const Context& context, const sdk::Request& request,
                const SyncGroupRequest& message, sdk::Decision& decision) {
  if (auto refusal = check_sync(message, request, context.host)) {
    return decision.respond(*refusal);
  }
  const Group* group = context.state.find(message.group_id);
  if (group == nullptr) {
    return decision.respond(sync_error(Error::unknown_member_id, request.version()));
  }
  Draft draft(context, request, message.group_id, *group);
  sync(draft, message);
  draft.emit(decision);
}

}  // namespace muster::classic
