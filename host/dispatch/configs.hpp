// Kafka's config resources as a group protocol of the host's own, named "host": DescribeConfigs,
// IncrementalAlterConfigs, ListConfigResources. Owner: host/dispatch. Group overrides are records
// of the types 0x3001-0x300f in the group's shard; replay publishes them to Options.
// Parts have scope RESOURCE and key "TYPE/NAME". TOPIC (2) belongs to the broker where it claims
// the API; every other type stays here: GROUP (32) in the group's shard, the rest in any one shard.
#pragma once

#include "config/options.hpp"

#include <muster/abi/group_protocol.h>

#include <cstdint>

namespace muster::host {

// A service that only the host's own protocols see. `create` fetches it by its id, so that the
// table stays a constant and two hosts in one process do not meet.
#define MUSTER_SERVICE_HOST_OPTIONS "muster.host.options/1"
struct HostOptionsService {
  std::uint32_t struct_size;
  Options* options;
  std::int32_t node_id;
};

[[nodiscard]] const muster_group_protocol_v1* config_protocol();

}  // namespace muster::host
