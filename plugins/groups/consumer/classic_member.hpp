// SyncGroup, Heartbeat and LeaveGroup of classic members in a consumer group. Reads only. [shard]
#pragma once

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>
#include <muster/sdk/request.hpp>

#include "context.hpp"

namespace muster::consumer {

using BeatRequest = protocol::HeartbeatRequest;
using LeaveRequest = protocol::LeaveGroupRequest;
using SyncRequest = protocol::SyncGroupRequest;

// What can be said against one without looking at any group.
template <class Message>
protocol::Error check_classic(const Message& message, const sdk::Request& request,
                              const sdk::Host& host) {
  const sdk::Principal who{request.principal(), request.client_host()};
  if (!host.allowed(who, sdk::Operation::read, sdk::Resource::group, message.group_id)) {
    return protocol::Error::group_authorization_failed;
  }
  if (message.group_id.empty()) return protocol::Error::invalid_group_id;
  return protocol::Error::none;
}

void sync(const Context& context, const sdk::Request& request, const SyncRequest& message,
          sdk::Decision& decision);
void beat(const Context& context, const sdk::Request& request, const BeatRequest& message,
          sdk::Decision& decision);
void leave(const Context& context, const sdk::Request& request, const LeaveRequest& message,
           sdk::Decision& decision);

}  // namespace muster::consumer
