// The door. In a file of its own, so that tests link the class without it.
#include <muster/sdk/plugin.hpp>

#include "round_robin.hpp"

MUSTER_PLUGIN(MUSTER_PARTITION_ASSIGNOR(example::RoundRobin, "round-robin"));
