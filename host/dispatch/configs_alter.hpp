// IncrementalAlterConfigs and AlterConfigs of one part. Owner: host/dispatch. Reads only; what is
// to be written is handed back.
#pragma once

#include "dispatch/configs_context.hpp"

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_response.hpp>

#include <string>
#include <vector>

namespace muster::host {

// One group's overrides as they will be.
struct AlteredGroup {
  std::string group;
  Overrides overrides;
};

template <class Response>
struct Alteration {
  Response response;
  std::vector<AlteredGroup> groups;  // none if only validated, or if nothing changes
};

// The answer points into the request and into the context's texts.
[[nodiscard]] Alteration<protocol::IncrementalAlterConfigsResponse> alter_configs(
    ConfigContext& context, const protocol::IncrementalAlterConfigsRequest& request);
// What the request does not name goes back to its default.
[[nodiscard]] Alteration<protocol::AlterConfigsResponse> alter_configs(
    ConfigContext& context, const protocol::AlterConfigsRequest& request);

}  // namespace muster::host
