// The door of the plugin.
#include <muster/sdk/plugin.hpp>

#include "consumer_groups.hpp"

MUSTER_PLUGIN(MUSTER_GROUP_PROTOCOL(muster::consumer::ConsumerGroups, "consumer"));
