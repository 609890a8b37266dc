// LeaveGroup: one member (v0-2) or several, each with an error of its own. [shard]
#pragma once

#include <muster/protocol/messages/leave_group_request.hpp>

#include <optional>

#include "context.hpp"

namespace muster::classic {

// What can be told without the group. Nothing: go on.
std::optional<protocol::Buffer> check_leave(const protocol::LeaveGroupRequest& message,
                                            const sdk::Request& request, const sdk::Host& host);

void leave_group(const Context& context, const sdk::Request& request,
                 const protocol::LeaveGroupRequest& message, sdk::Decision& decision);

}  // namespace muster::classic
