// Registry::load: definitions to files, files to libraries, bindings to exports.
#include "config/nearest_name.hpp"
#include "plugins/probe.hpp"
#include "plugins/registry_impl.hpp"

#include <muster/abi/broker.h>
#include <muster/abi/group_protocol.h>
#include <muster/abi/store.h>

#include <algorithm>

namespace muster::host {
namespace {

namespace fs = std::filesystem;
using Verdict = std::expected<void, std::string>;

std::string text_of(const std::vector<fs::path>& folders) {
  std::string text;
  for (const fs::path& folder : folders) text += (text.empty() ? "" : ", ") + folder.string();
  return text.empty() ? "which is empty" : text;
}

class RegistryLoader {
 public:
  RegistryLoader(const HostConfig& config, const RegistryEnvironment& environment,
                 Registry::Impl& registry)
      : config_(config),
        environment_(environment),
        registry_(registry),
        cache_(environment.cache_dir),
        scanned_(scan(environment.search_path)) {}

  void load_all() {
    for (const PluginDefinition& definition : config_.plugins) add(definition);
  }

  ConfigErrors load_and_bind() {
    load_all();
    for (const BoundName& bound : config_.bind.groups) bind_group(bound);
    bind_one("store", config_.bind.store, MUSTER_IFACE_STORE, registry_.store);
    bind_one("broker", config_.bind.broker, MUSTER_IFACE_BROKER, registry_.broker);
    return std::move(errors_);
  }

 private:
  void add(const PluginDefinition& definition) {
    RegistryEntry& entry = registry_.entries.emplace_back();
    PluginStatus& status = entry.status;
    entry.origin = definition.origin;
    status.definition = definition.name;
    status.id = definition.id;
    status.optional = definition.optional;
    if (!definition.enabled) return;
    const Verdict good = load(definition, entry);
    if (good) {
      status.state = LoadState::loaded;
      return;
    }
    status.state = LoadState::refused;
    status.why = good.error();
    if (!definition.optional) {
      errors_.errors.push_back(
          {definition.origin, "plugin '" + definition.name + "' is refused: " + status.why, true});
    }
  }

  Verdict load(const PluginDefinition& definition, RegistryEntry& entry) {
    PluginStatus& status = entry.status;
    auto manifest = find(definition);
    if (!manifest) return std::unexpected(manifest.error());
    status.file = manifest->library;
    status.version = manifest->version;
    status.license = manifest->license;
    if (!definition.id.empty() && definition.id != manifest->id) {
      return std::unexpected(manifest->file.string() + " is of '" + manifest->id + "', not of '" +
                             definition.id + "'");
    }
    status.id = manifest->id;
    if (Verdict good = probe(status); !good) return good;
    auto library = Library::load(status.file);
    if (!library) return std::unexpected(library.error());
    const muster_plugin& plugin = library->descriptor();
    if (Verdict good = compare(*manifest, plugin); !good) return good;
    for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
      status.exports.push_back(plugin.exports[i].interface_id + std::string(" ") +
                               plugin.exports[i].name);
    }
    entry.library = *library;
    return {};
  }

  std::expected<Manifest, std::string> find(const PluginDefinition& definition) const {
    if (!definition.path.empty()) {
      std::error_code ignored;
      if (!fs::exists(definition.path, ignored)) {
        return std::unexpected(definition.path.string() + " does not exist");
      }
      return read_manifest(fs::absolute(definition.path));
    }
    const auto at = std::ranges::find(scanned_.manifests, definition.id, &Manifest::id);
    if (at != scanned_.manifests.end()) return *at;
    std::vector<std::string> known;
    for (const Manifest& manifest : scanned_.manifests) known.push_back(manifest.id);
    std::string message = "no plugin with the id '" + definition.id + "' is on the search path (" +
                          text_of(environment_.search_path) + ")" +
                          did_you_mean(definition.id, known);
    for (const std::string& error : scanned_.errors) message += "; skipped there: " + error;
    return std::unexpected(message);
  }

  Verdict probe(PluginStatus& status) {
    const auto hash = content_hash(status.file);
    if (!hash) return std::unexpected(hash.error());
    status.content_hash = *hash;
    if (environment_.executable.empty() || cache_.knows(*hash)) return {};
    const Verdict good =
        probe_in_child({environment_.executable, status.file, environment_.probe_patience});
    if (good) cache_.add(*hash);
    return good;
  }

  // What stands behind a bound name; empty, with an error where it must not be.
  std::vector<Export> resolve(const BoundName& bound, const char* interface_id, bool needed) {
    const std::size_t slash = bound.name.find('/');
    const std::string definition = bound.name.substr(0, slash);
    const RegistryEntry* entry = registry_.find(definition);
    if (entry == nullptr) return {};
    if (entry->status.state != LoadState::loaded) {
      const bool said = entry->status.state == LoadState::refused && !entry->status.optional;
      if (needed && !said) {
        const std::string why = entry->status.why.empty() ? "" : ": " + entry->status.why;
        fail(bound.origin, "'" + definition + "' is needed here, but is " +
                               std::string(to_string(entry->status.state)) + why);
      }
      return {};
    }
    std::vector<Export> found = registry_.exports_of(*entry, interface_id);
    if (slash != std::string::npos) {
      std::erase_if(found, [&](const Export& e) { return e.name != bound.name.substr(slash + 1); });
    }
    if (found.empty()) {
      fail(bound.origin, "plugin '" + definition + "' offers no " + interface_id +
                             (slash == std::string::npos ? "" : " of that name: " + bound.name));
    }
    return found;
  }

  void bind_group(const BoundName& bound) {
    for (Export& exported : resolve(bound, MUSTER_IFACE_GROUP_PROTOCOL, false)) {
      registry_.groups.push_back(std::move(exported));
    }
  }

  void bind_one(std::string_view what, const BoundName& bound, const char* interface_id,
                Export& target) {
    const std::vector<Export> found = resolve(bound, interface_id, true);
    if (found.size() > 1) {
      fail(bound.origin, "'bind." + std::string(what) + "' must say which: " + bound.name + "/" +
                             found[0].name + " or " + bound.name + "/" + found[1].name);
    }
    if (!found.empty()) target = found.front();
  }

  void fail(const Origin& origin, std::string message) {
    errors_.errors.push_back({origin, std::move(message), false});
  }

  const HostConfig& config_;
  const RegistryEnvironment& environment_;
  Registry::Impl& registry_;
  ProbeCache cache_;
  ScannedManifests scanned_;
  ConfigErrors errors_;
};

}  // namespace

std::expected<std::unique_ptr<Registry>, ConfigErrors> Registry::load(
    const HostConfig& config, const RegistryEnvironment& environment) {
  auto impl = std::make_unique<Impl>();
  ConfigErrors errors = RegistryLoader(config, environment, *impl).load_and_bind();
  if (!errors.errors.empty()) return std::unexpected(std::move(errors));
  return std::unique_ptr<Registry>(new Registry(std::move(impl)));
}

std::vector<PluginStatus> Registry::survey(const HostConfig& config,
                                           const RegistryEnvironment& environment) {
  Registry registry(std::make_unique<Impl>());
  RegistryLoader(config, environment, *registry.impl_).load_all();
  return registry.statuses();
}

}  // namespace muster::host
