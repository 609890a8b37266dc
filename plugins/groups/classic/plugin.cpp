// The door of the plugin.
#include <muster/sdk/plugin.hpp>

#include "classic_groups.hpp"

MUSTER_PLUGIN(MUSTER_GROUP_PROTOCOL(muster::classic::ClassicGroups, "classic"));
