// UpdateFeatures (key 57, v0-2) as a group protocol of the host's own, named "host.features":
// changed feature levels are records of the type 0x3010 in shard 0 of "groups"; replay publishes
// them to the FeatureLevels of the host's Options. Owner: host/dispatch. Key: int16 0x3010, an
// empty shard key and the feature's name as Kafka strings. Value: int16 version 0, int16 level.
#pragma once

#include <muster/abi/group_protocol.h>

namespace muster::host {

// Its create asks for the service MUSTER_SERVICE_HOST_OPTIONS of own_protocol.hpp.
[[nodiscard]] const muster_group_protocol_v1* feature_protocol();

}  // namespace muster::host
