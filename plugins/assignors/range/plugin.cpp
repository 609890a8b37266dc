// The door of org.muster.assignor.range.
#include <muster/sdk/plugin.hpp>

#include "range.hpp"

MUSTER_PLUGIN(MUSTER_PARTITION_ASSIGNOR(muster::range::RangeAssignor, "range"));
