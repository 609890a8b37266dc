#include "heartbeat.hpp"

#include "answers.hpp"
#include "check_member.hpp"
#include "keys.hpp"

namespace muster::classic {
namespace {

using protocol::HeartbeatRequest;

Error check(const Group* group, const HeartbeatRequest& message) {
  if (group == nullptr) return Error::unknown_member_id;
  const Error error = check_member(group->roster, {message.member_id, message.group_instance_id});
  if (error != Error::none) return error;
  return message.generation_id == group->header.generation ? Error::none
                                                           : Error::illegal_generation;
}

}  // namespace

std::optional<protocol::Buffer> check_heartbeat(const HeartbeatRequest& message,
                                                const sdk::Request& request,
                                                const sdk::Host& host) {
  if (!host.allowed({request.principal(), request.client_host()}, sdk::Operation::read,
                    sdk::Resource::group, message.group_id)) {
    return heartbeat_answer(Error::group_authorization_failed, request.version());
  }
  if (message.group_id.empty()) {
    return heartbeat_answer(Error::invalid_group_id, request.version());
  }
  return std::nullopt;
}

void heartbeat(const Context& context, const sdk::Request& request, const HeartbeatRequest& message,
               sdk::Decision& decision) {
  if (auto refusal = check_heartbeat(message, request, context.host)) {
    return decision.respond(*refusal);
  }
  const Group* group = context.state.find(message.group_id);
  Error error = check(group, message);
  if (error == Error::none) {
    const Member& member = *group->roster.find(message.member_id);
    std::string key;
    append_key(key, {Timer::session, message.group_id, member.id});
    decision.timer(key, static_cast<std::uint32_t>(member.session_timeout_ms));
    if (group->header.is(GroupState::preparing_rebalance)) error = Error::rebalance_in_progress;
  }
  decision.respond(heartbeat_answer(error, request.version()));
}

}  // namespace muster::classic
