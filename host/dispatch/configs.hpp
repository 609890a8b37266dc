// Kafka's config resources as a group protocol of the host's own, named "host": DescribeConfigs,
// IncrementalAlterConfigs, AlterConfigs, ListConfigResources. Owner: host/dispatch. Group overrides
// are records of the types 0x3001-0x300f in the group's shard; replay publishes them to Options.
// Parts have scope RESOURCE and key "TYPE/NAME". TOPIC (2) belongs to the broker where it claims
// the API; every other type stays here: GROUP (32) in the group's shard, the rest in any one shard.
// BROKER (4) stays too, since the host alone knows every plugin's options and what was configured.
#pragma once

#include <muster/abi/group_protocol.h>

namespace muster::host {

[[nodiscard]] const muster_group_protocol_v1* config_protocol();

}  // namespace muster::host
