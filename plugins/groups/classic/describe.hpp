// DescribeGroups for groups of this protocol; the offsets plugin answers for all other ids. [shard]
#pragma once

#include <muster/protocol/messages/describe_groups_request.hpp>

#include "context.hpp"

namespace muster::classic {

void describe_groups(const Context& context, const sdk::Request& request,
                     const protocol::DescribeGroupsRequest& message, sdk::Decision& decision);

}  // namespace muster::classic
