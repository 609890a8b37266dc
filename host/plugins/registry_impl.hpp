// The inside of Registry, shared by its making (registry_load.cpp) and its use (registry.cpp).
// Owner: host/plugins.
#pragma once

#include "plugins/library.hpp"
#include "plugins/manifest.hpp"
#include "plugins/registry.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace muster::host {

struct RegistryEntry {
  PluginStatus status;
  Origin origin;
  std::optional<Library> library;
};

struct Registry::Impl {
  mutable std::mutex mutex;            // guards the states and reasons, the only things that change
  std::vector<RegistryEntry> entries;  // in the order of the definitions
  std::vector<Export> groups;
  Export store;
  Export broker;

  [[nodiscard]] RegistryEntry* find(std::string_view definition);
  [[nodiscard]] std::vector<Export> exports_of(const RegistryEntry& entry,
                                               std::string_view interface_id) const;
};

}  // namespace muster::host
