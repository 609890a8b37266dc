// SyncGroup, Heartbeat and LeaveGroup of classic members in a consumer group. [shard]
#include "classic_member.hpp"

#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>

#include <algorithm>
#include <expected>

#include "classic_answers.hpp"
#include "draft.hpp"
#include "embedded_protocol.hpp"
#include "leave.hpp"
#include "subject.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using LeaveResponse = protocol::LeaveGroupResponse;

constexpr std::int16_t protocol_required_version = 5;  // of SyncGroup
constexpr std::int16_t batch_version = 3;              // of LeaveGroup

// A classic member of the generation it speaks of.
struct Found {
  std::string_view id;
  const Member* member;
};

template <class Message>
std::expected<Found, Error> find(const Group* group, const Message& message) {
  if (group == nullptr) return std::unexpected(Error::unknown_member_id);
  const auto id =
      find_member_id(*group, {message.group_id, message.member_id, message.group_instance_id});
  if (!id) return std::unexpected(id.error().error);
  const Member* member = group->find_member(*id);
  if (!member->metadata.classic) return std::unexpected(Error::unknown_member_id);
  if (member->current.epoch != message.generation_id) {
    return std::unexpected(Error::illegal_generation);
  }
  return Found{message.member_id, member};
}

// Whether it waits for partitions that nobody holds any more.
bool may_have_more(const Group& group, const Found& found) {
  const CurrentAssignment& current = found.member->current;
  if (current.state != MemberState::unreleased_partitions) return false;
  return std::ranges::all_of(group.target_of(found.id), [&](const TopicPartition& at) {
    return contains(current.assigned, at) || group.owners().is_free(at);
  });
}

// A member that still revokes has rejoined already, and is told to do so again by its heartbeats.
bool has_new_assignment(const Group& group, const Found& found) {
  const CurrentAssignment& current = found.member->current;
  return group.assignment_epoch > current.epoch &&
         current.state != MemberState::unrevoked_partitions;
}

bool must_rejoin(const Group& group, const Found& found) {
  const CurrentAssignment& current = found.member->current;
  return current.epoch < group.assignment_epoch ||
         current.state == MemberState::unrevoked_partitions || may_have_more(group, found);
}

Error check_protocol(const SyncRequest& message, const Found& found) {
  const std::string& name = found.member->metadata.classic->first_protocol().name;
  const bool is_ours =
      (!message.protocol_type || *message.protocol_type == consumer_protocol_type) &&
      (!message.protocol_name || *message.protocol_name == name);
  return is_ours ? Error::none : Error::inconsistent_group_protocol;
}

template <class Answer>
void respond(sdk::Decision& decision, const sdk::Request& request, const Answer& answer) {
  protocol::Buffer body;
  encode(answer, request.version(), body);
  decision.respond_owned(std::move(body));
}

// The partitions it holds, in the form and version that it speaks.
protocol::Buffer assignment_of(const Context& context, const Member& member) {
  Partitions assigned;
  for (const AssignedPartition& one : member.current.assigned) assigned.push_back(one.place());
  return write_assignment(assigned, member.metadata.classic->first_protocol().metadata,
                          context.metadata());
}

protocol::Buffer synced(const SyncRequest& message, const protocol::Buffer& assignment,
                        std::int16_t version) {
  protocol::SyncGroupResponse response;
  response.protocol_type = message.protocol_type;
  response.protocol_name = message.protocol_name;
  response.assignment = assignment;
  protocol::Buffer body;
  protocol::encode(response, version, body);
  return body;
}

// Before version 3 one member leaves, and its error is the request's.
void respond_left(const sdk::Request& request, LeaveResponse response, sdk::Decision& decision) {
  if (request.version() < batch_version) response.error_code = response.members.front().error_code;
  protocol::Buffer body;
  protocol::encode(response, request.version(), body);
  decision.respond_owned(std::move(body));
}

}  // namespace

void sync(const Context& context, const sdk::Request& request, const SyncRequest& message,
          sdk::Decision& decision) {
  if (request.version() >= protocol_required_version &&
      (!message.protocol_type || !message.protocol_name)) {
    return respond(decision, request, SyncRefusal{Error::inconsistent_group_protocol});
  }
  Error error = check_classic(message, request, context.host);
  if (error != Error::none) return respond(decision, request, SyncRefusal{error});
  const Group* group = context.state.find(message.group_id);
  const auto found = find(group, message);
  if (!found) return respond(decision, request, SyncRefusal{found.error()});
  error = check_protocol(message, *found);
  if (error != Error::none) return respond(decision, request, SyncRefusal{error});
  Draft draft(context, message.group_id, *group);
  if (has_new_assignment(*group, *found)) {
    draft.ask_to_rejoin(found->id, found->member->metadata);
    respond(decision, request, SyncRefusal{Error::rebalance_in_progress});
  } else {
    draft.cancel_timer(Timer::sync, found->id);
    draft.start_session(found->id, found->member->metadata);
    decision.respond_owned(
        synced(message, assignment_of(context, *found->member), request.version()));
  }
  draft.emit(decision);
}

void beat(const Context& context, const sdk::Request& request, const BeatRequest& message,
          sdk::Decision& decision) {
  const Error error = check_classic(message, request, context.host);
  if (error != Error::none) return respond(decision, request, BeatAnswer{error});
  const Group* group = context.state.find(message.group_id);
  const auto found = find(group, message);
  if (!found) return respond(decision, request, BeatAnswer{found.error()});
  Draft draft(context, message.group_id, *group);
  draft.start_session(found->id, found->member->metadata);
  const bool rejoins = must_rejoin(*group, *found);
  if (rejoins) draft.ask_to_rejoin(found->id, found->member->metadata);
  draft.emit(decision);
  respond(decision, request, BeatAnswer{rejoins ? Error::rebalance_in_progress : Error::none});
}

void leave(const Context& context, const sdk::Request& request, const LeaveRequest& message,
           sdk::Decision& decision) {
  const Error error = check_classic(message, request, context.host);
  if (error != Error::none) return respond(decision, request, LeaveRefusal{error});
  const Group* group = context.state.find(message.group_id);
  std::vector<LeaveRequest::MemberIdentity> members = message.members;
  if (request.version() < batch_version) members.assign(1, {message.member_id, {}, {}});
  LeaveResponse response;
  LeavingMembers leaving;
  for (const auto& member : members) {
    auto& answer = response.members.emplace_back();
    answer.member_id = member.member_id;
    answer.group_instance_id = member.group_instance_id;
    answer.error_code = static_cast<std::int16_t>(Error::unknown_member_id);
    if (group == nullptr) continue;
    const auto id = find_member_id(
        *group, {message.group_id, member.member_id, member.group_instance_id, true});
    answer.error_code = static_cast<std::int16_t>(id ? Error::none : id.error().error);
    if (id) leaving.insert(group->members().find(*id)->first);
  }
  if (!leaving.empty()) {
    Draft draft(context, message.group_id, *group);
    remove_members(draft, leaving);
    draft.emit(decision);
  }
  respond_left(request, std::move(response), decision);
}

}  // namespace muster::consumer
