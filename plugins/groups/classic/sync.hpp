// SyncGroup: the leader's brings the assignment and ends the rebalance, the others fetch theirs.
// [shard]
#pragma once

#include <muster/protocol/messages/sync_group_request.hpp>

#include <optional>

#include "draft.hpp"

namespace muster::classic {

// What can be told without the group. Nothing: go on.
std::optional<protocol::Buffer> check_sync(const protocol::SyncGroupRequest& message,
                                           const sdk::Request& request, const sdk::Host& host);

void sync_group(const Context& context, const sdk::Request& request,
                const protocol::SyncGroupRequest& message, sdk::Decision& decision);

}  // namespace muster::classic
