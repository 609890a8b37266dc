// The door of org.muster.broker.embedded.
#include "broker.hpp"

#include <muster/sdk/plugin.hpp>

MUSTER_PLUGIN(MUSTER_BROKER(muster::embedded::Broker, "embedded"));
