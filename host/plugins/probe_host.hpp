// A host that offers every service and does nothing: for creating a plugin once to see whether it
// survives that. Owner: host/plugins. Stateless.
#pragma once

#include <muster/abi/host.h>

namespace muster::host {

[[nodiscard]] const muster_host& probe_host();

}  // namespace muster::host
