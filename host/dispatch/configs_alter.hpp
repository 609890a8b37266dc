// IncrementalAlterConfigs of one part. Owner: host/dispatch. Reads only; what is to be written is
// handed back.
#pragma once

#include "dispatch/configs_context.hpp"

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

struct Alteration {
  protocol::IncrementalAlterConfigsResponse response;
  std::vector<AlteredGroup> groups;  // none if only validated, or if nothing changes
};

// The answer points into the request and into the context's texts.
[[nodiscard]] Alteration alter_configs(ConfigContext& context,
                                       const protocol::IncrementalAlterConfigsRequest& request);

}  // namespace muster::host
