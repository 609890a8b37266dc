// The option that uniform and range share. Constant data.
#pragma once

#include <muster/sdk/options.hpp>

namespace muster::racks {

inline constexpr const char* rack_aware_name = "group.consumer.assignor.rack.aware";

inline constexpr muster_option rack_aware_option =
    sdk::bool_option(rack_aware_name)
        .by_default("false")
        .doc("Whether uniform and range give partitions to members in the racks of replicas.")
        .since("0.1.0");

}  // namespace muster::racks
