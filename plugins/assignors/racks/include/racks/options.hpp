// The options that uniform and range share. Constant data.
#pragma once

#include <muster/sdk/options.hpp>

namespace muster::racks {

inline constexpr const char* rack_aware_name = "consumer.assignor.rack.aware";
inline constexpr const char* host_rack_aware_name = "group.consumer.assignor.rack.aware";
inline constexpr const char* rack_aware_doc =
    "Whether uniform and range give partitions to members in the racks of replicas.";

inline constexpr muster_option host_rack_aware_option =
    sdk::bool_option(host_rack_aware_name).by_default("false").doc(rack_aware_doc).since("0.1.0");
inline constexpr muster_option rack_aware_option = sdk::bool_option(rack_aware_name)
                                                       .per_group()
                                                       .default_of(host_rack_aware_name)
                                                       .doc(rack_aware_doc)
                                                       .since("0.1.0");

}  // namespace muster::racks
