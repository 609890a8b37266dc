// Heartbeat: renews the member's session and tells it of a rebalance. [shard]
#pragma once

#include <muster/protocol/messages/heartbeat_request.hpp>

#include <optional>

#include "context.hpp"

namespace muster::classic {

// What can be told without the group. Nothing: go on.
std::optional<protocol::Buffer> check_heartbeat(const protocol::HeartbeatRequest& message,
                                                const sdk::Request& request, const sdk::Host& host);

void heartbeat(const Context& context, const sdk::Request& request,
               const protocol::HeartbeatRequest& message, sdk::Decision& decision);

}  // namespace muster::classic
