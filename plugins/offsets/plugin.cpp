// The door of org.muster.offsets.
#include <muster/sdk/plugin.hpp>

#include "offsets_protocol.hpp"
#include "offsets_shard.hpp"

MUSTER_PLUGIN(MUSTER_GROUP_PROTOCOL(muster::offsets::OffsetsProtocol, "offsets"));
