// The libraries that were built, as a host would load them. Tests only.
#pragma once

#include <muster/abi/plugin.h>

#include <string>

namespace muster::simulation {

// "consumer", "offsets", "uniform" or "range". Mapped once, for the life of the process.
const muster_export& built_plugin(const std::string& name);

}  // namespace muster::simulation
