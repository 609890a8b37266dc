// DescribeConfigs of one part. Owner: host/dispatch. Reads only.
#pragma once

#include "dispatch/configs_context.hpp"

#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>

namespace muster::host {

// The answer points into the request and into the context's texts.
[[nodiscard]] protocol::DescribeConfigsResponse describe_configs(
    ConfigContext& context, const protocol::DescribeConfigsRequest& request);

}  // namespace muster::host
