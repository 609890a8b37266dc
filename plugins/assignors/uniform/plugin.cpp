// The door of org.muster.assignor.uniform.
#include <muster/sdk/plugin.hpp>

#include "uniform.hpp"

MUSTER_PLUGIN(MUSTER_PARTITION_ASSIGNOR(muster::uniform::UniformAssignor, "uniform"));
