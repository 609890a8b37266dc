// The `create` slot of any interface, with everything caught that can be. Owner: host/plugins.
#pragma once

#include "plugins/registry.hpp"

#include <muster/abi/host.h>

#include <expected>
#include <string>

namespace muster::host {

// What was made of one export: `self` for all its slots.
struct Instance {
  Export exported;
  void* self = nullptr;
};

// [control] The error is one sentence that names the plugin.
[[nodiscard]] std::expected<Instance, std::string> create_instance(const Export& exported,
                                                                   const muster_host& host,
                                                                   const muster_options& options);
// [control]
void destroy_instance(const Instance& instance);

}  // namespace muster::host
