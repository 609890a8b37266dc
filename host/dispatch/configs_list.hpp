// ListConfigResources: which part answers what. Owner: host/dispatch. Reads only.
#pragma once

#include "dispatch/configs_context.hpp"

#include <muster/protocol/messages/list_config_resources_request.hpp>
#include <muster/protocol/messages/list_config_resources_response.hpp>

namespace muster::host {

// Whether the request asks for anything that lies in every shard.
[[nodiscard]] bool asks_for_groups(const protocol::ListConfigResourcesRequest& request,
                                   std::int16_t version);

// This shard's groups, and, in shard 0, everything that is no group.
[[nodiscard]] protocol::ListConfigResourcesResponse list_config_resources(
    ConfigContext& context, const protocol::ListConfigResourcesRequest& request);

}  // namespace muster::host
