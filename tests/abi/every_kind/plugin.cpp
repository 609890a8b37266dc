// The door.
#include <muster/sdk/plugin.hpp>

#include "assignor.hpp"
#include "broker.hpp"
#include "protocol.hpp"
#include "store.hpp"

MUSTER_PLUGIN(MUSTER_PARTITION_ASSIGNOR(every_kind::Assignor, "assignor"),
              MUSTER_STORE(every_kind::Store, "store"), MUSTER_BROKER(every_kind::Broker, "broker"),
              MUSTER_GROUP_PROTOCOL(every_kind::Protocol, "protocol"));
