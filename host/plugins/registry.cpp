// Registry: lookups, states, and the composition of plugins and options.
#include "plugins/registry.hpp"

#include "plugins/registry_impl.hpp"

#include <algorithm>

namespace muster::host {

std::string_view to_string(LoadState state) {
  switch (state) {
    case LoadState::loaded: return "loaded";
    case LoadState::disabled: return "disabled";
    case LoadState::refused: return "refused";
    case LoadState::quarantined: return "quarantined";
    case LoadState::retired: break;
  }
  return "retired";
}

Registry::Registry(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Registry::~Registry() = default;

RegistryEntry* Registry::Impl::find(std::string_view definition) {
  const auto at = std::ranges::find(
      entries, definition, [](const RegistryEntry& entry) { return entry.status.definition; });
  return at == entries.end() ? nullptr : &*at;
}

std::vector<Export> Registry::Impl::exports_of(const RegistryEntry& entry,
                                               std::string_view interface_id) const {
  std::vector<Export> out;
  if (!entry.library) return out;
  const muster_plugin& plugin = entry.library->descriptor();
  for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
    const muster_export& exported = plugin.exports[i];
    if (exported.interface_id != interface_id) continue;
    out.push_back(
        {entry.status.definition, exported.name, exported.interface_id, exported.table, &exported});
  }
  return out;
}

std::vector<Export> Registry::find_exports(std::string_view interface_id) const {
  std::vector<Export> out;
  for (const RegistryEntry& entry : impl_->entries) {
    for (Export& exported : impl_->exports_of(entry, interface_id)) {
      out.push_back(std::move(exported));
    }
  }
  return out;
}

std::expected<Export, std::string> Registry::find_export(std::string_view interface_id,
                                                         std::string_view name) const {
  const std::size_t slash = name.find('/');
  const std::string_view definition =
      slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
  const std::string_view bare = slash == std::string_view::npos ? name : name.substr(slash + 1);
  std::vector<Export> found;
  for (Export& exported : find_exports(interface_id)) {
    if (exported.name != bare) continue;
    if (!definition.empty() && exported.definition != definition) continue;
    found.push_back(std::move(exported));
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    return std::unexpected("no loaded plugin offers '" + std::string(name) + "' as " +
                           std::string(interface_id));
  }
  return std::unexpected("'" + std::string(name) + "' is offered by '" + found[0].definition +
                         "' and '" + found[1].definition + "'");
}

const std::vector<Export>& Registry::bound_groups() const { return impl_->groups; }
const Export& Registry::bound_store() const { return impl_->store; }
const Export& Registry::bound_broker() const { return impl_->broker; }

std::vector<OptionDeclarer> Registry::option_declarers() const {
  std::vector<OptionDeclarer> out;
  for (const RegistryEntry& entry : impl_->entries) {
    if (!entry.library) continue;
    const muster_plugin& plugin = entry.library->descriptor();
    OptionDeclarer& declarer = out.emplace_back(OptionDeclarer{entry.status.definition, {}});
    for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
      declarer.exports.push_back(&plugin.exports[i]);
    }
  }
  return out;
}

std::vector<PluginStatus> Registry::statuses() const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<PluginStatus> out;
  for (const RegistryEntry& entry : impl_->entries) out.push_back(entry.status);
  return out;
}

void Registry::quarantine(std::string_view definition, std::string why) {
  const std::lock_guard lock(impl_->mutex);
  RegistryEntry* entry = impl_->find(definition);
  if (entry == nullptr || entry->status.state != LoadState::loaded) return;
  entry->status.state = LoadState::quarantined;
  entry->status.why = std::move(why);
}

std::expected<Composition, ConfigErrors> compose(const HostConfig& config,
                                                 const RegistryEnvironment& environment) {
  auto registry = Registry::load(config, environment);
  if (!registry) return std::unexpected(std::move(registry.error()));
  auto options =
      Options::build({(*registry)->option_declarers(), config.options, config.features, false});
  if (!options) return std::unexpected(std::move(options.error()));
  return Composition{std::move(*registry), std::move(*options)};
}

}  // namespace muster::host
