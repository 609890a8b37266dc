#include "leave.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>

#include <algorithm>
#include <functional>
#include <vector>

#include "answers.hpp"
#include "check_member.hpp"
#include "draft.hpp"
#include "rebalance.hpp"

namespace muster::classic {
namespace {

using protocol::LeaveGroupRequest;
using protocol::LeaveGroupResponse;
using Identity = LeaveGroupRequest::MemberIdentity;

constexpr std::int16_t first_version_with_members = 3;

std::vector<Identity> leaving(const LeaveGroupRequest& message, std::int16_t version) {
  if (version >= first_version_with_members) return message.members;
  std::vector<Identity> one(1);
  one.front().member_id = message.member_id;
  one.front().group_instance_id.reset();
  return one;
}

void remove(Draft& draft, const std::string& member_id, const Identity& identity) {
  draft.context.host.info("group ", draft.group_id, ": member ", member_id,
                          " leaves: ", identity.reason.value_or("not provided"));
  draft.cancel_timer(Timer::session, member_id);
  remove_member(draft, member_id);
}

Error leave(Draft& draft, const Identity& identity) {
  if (identity.member_id.empty()) {
    // An administrator knows members by their instances only.
    const Member* member = identity.group_instance_id
                               ? draft.roster().find_static(*identity.group_instance_id)
                               : nullptr;
    if (member == nullptr) return Error::unknown_member_id;
    remove(draft, std::string(member->id), identity);
    return Error::none;
  }
  if (draft.is_pending(identity.member_id)) {
    draft.cancel_timer(Timer::session, identity.member_id);
    remove_pending(draft, identity.member_id);
    return Error::none;
  }
  const Error error =
      check_member(draft.roster(), {identity.member_id, identity.group_instance_id});
  if (error == Error::none) remove(draft, std::string(identity.member_id), identity);
  return error;
}

using LeaveOne = std::function<Error(const Identity&)>;

protocol::Buffer answer(const LeaveGroupRequest& message, std::int16_t version,
                        const LeaveOne& leave_one) {
  LeaveGroupResponse response;
  for (const Identity& identity : leaving(message, version)) {
    auto& out = response.members.emplace_back();
    out.member_id = identity.member_id;
    out.group_instance_id = identity.group_instance_id;
    out.error_code = protocol::code(leave_one(identity));
  }
  if (version < first_version_with_members) {
    response.error_code = response.members.front().error_code;
    response.members.clear();
  }
  protocol::Buffer body;
  protocol::encode(response, version, body);
  return body;
}

}  // namespace

std::optional<protocol::Buffer> check_leave(const LeaveGroupRequest& message,
                                            const sdk::Request& request, const sdk::Host& host) {
  if (!host.allowed({request.principal(), request.client_host()}, sdk::Operation::read,
                    sdk::Resource::group, message.group_id)) {
    return leave_error(Error::group_authorization_failed, request.version());
  }
  if (message.group_id.empty()) return leave_error(Error::invalid_group_id, request.version());
  return std::nullopt;
}

void leave_group(const Context& context, const sdk::Request& request,
                 const LeaveGroupRequest& message, sdk::Decision& decision) {
  if (auto refusal = check_leave(message, request, context.host)) {
    return decision.respond(*refusal);
  }
  const Group* group = context.state.find(message.group_id);
  if (group == nullptr) {
    return decision.respond(answer(message, request.version(),
                                   [](const Identity&) { return Error::unknown_member_id; }));
  }
  Draft draft(context, request, message.group_id, *group);
  bool has_left = false;
  draft.answer(answer(message, request.version(), [&](const Identity& identity) {
    const Error error = leave(draft, identity);
    has_left = has_left || error == Error::none;
    return error;
  }));
  if (has_left && !draft.header.is(GroupState::empty)) {
    rebalance_or_complete_join(draft, "members have left");
  }
  draft.emit(decision);
}

}  // namespace muster::classic
