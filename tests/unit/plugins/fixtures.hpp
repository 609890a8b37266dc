// Where the broken plugins are, and a configuration around one of them.
#pragma once

#include "plugins/registry.hpp"

#include <filesystem>
#include <string>

namespace muster::host::testing {

inline std::filesystem::path bad_plugin(const std::string& name) {
  return std::filesystem::path(MUSTER_BAD_PLUGINS) / name / (name + ".so");
}

inline PluginDefinition definition(std::string name, std::filesystem::path path) {
  return {std::move(name), "", std::move(path), true, false, {"c.toml", 4}};
}

// No probing: the registry loads in this process only.
inline RegistryEnvironment no_probing() { return {{}, {}, {}, std::chrono::milliseconds(0)}; }

inline RegistryEnvironment probing() {
  return {MUSTER_PROBE_CHILD, {}, {}, std::chrono::milliseconds(2000)};
}

}  // namespace muster::host::testing
