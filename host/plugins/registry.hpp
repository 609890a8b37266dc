// Which plugins this host has, and in which state. Owner: host/plugins.
//
// Threads: load is [control]; afterwards reading is [any], and quarantine too.
#pragma once

#include "config/host_config.hpp"
#include "config/options.hpp"

#include <muster/abi/plugin.h>

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

enum class LoadState { loaded, disabled, refused, quarantined, retired };
[[nodiscard]] std::string_view to_string(LoadState state);

// One thing that a loaded plugin offers. All pointers are good for the life of the process.
struct Export {
  std::string definition;  // the [[plugin]] name
  std::string name;        // the export's own name
  std::string interface_id;
  const void* table = nullptr;
  const muster_export* declaration = nullptr;
};

struct PluginStatus {
  std::string definition;
  std::string id;
  std::string version;
  std::string license;
  std::filesystem::path file;
  std::uint64_t content_hash = 0;
  LoadState state = LoadState::disabled;
  std::string why;  // refused, quarantined: one sentence
  bool optional = false;
  std::vector<std::string> exports;  // "INTERFACE NAME"
};

// What a host needs to find and try plugins.
struct RegistryEnvironment {
  std::filesystem::path executable;  // run as `EXECUTABLE plugin probe FILE`; empty: no probing
  std::filesystem::path cache_dir;   // what was probed before; empty: probe each time
  std::vector<std::filesystem::path> search_path;
  std::chrono::milliseconds probe_patience{2000};
};
// This process's executable, the search path of the configuration or else the default one beside
// the executable, the user's cache folder.
[[nodiscard]] RegistryEnvironment registry_environment(const HostConfig& config);

class Registry {
 public:
  struct Impl;

  // Loads all enabled definitions. A plugin that is not optional and cannot be loaded is an error.
  [[nodiscard]] static std::expected<std::unique_ptr<Registry>, ConfigErrors> load(
      const HostConfig& config, const RegistryEnvironment& environment);
  // What would become of each definition, whatever [bind] says.
  [[nodiscard]] static std::vector<PluginStatus> survey(const HostConfig& config,
                                                        const RegistryEnvironment& environment);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // In the order of the definitions, then of the exports.
  [[nodiscard]] std::vector<Export> find_exports(std::string_view interface_id) const;
  // NAME: the export's name, or DEFINITION/EXPORT where a name is not unique.
  [[nodiscard]] std::expected<Export, std::string> find_export(std::string_view interface_id,
                                                               std::string_view name) const;

  // What [bind] names, in its order; optional plugins that are not there are left out.
  [[nodiscard]] const std::vector<Export>& bound_groups() const;
  [[nodiscard]] const Export& bound_store() const;
  [[nodiscard]] const Export& bound_broker() const;

  // For Options::build.
  [[nodiscard]] std::vector<OptionDeclarer> option_declarers() const;

  [[nodiscard]] std::vector<PluginStatus> statuses() const;
  // The same as JSON, for /api/v1/plugins.
  [[nodiscard]] std::string statuses_json() const;
  void quarantine(std::string_view definition, std::string why);

 private:
  explicit Registry(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Everything that a host is composed of, checked: what both `serve` and `check` start from.
struct Composition {
  std::unique_ptr<Registry> registry;
  std::unique_ptr<Options> options;
};
[[nodiscard]] std::expected<Composition, ConfigErrors> compose(
    const HostConfig& config, const RegistryEnvironment& environment);

}  // namespace muster::host
