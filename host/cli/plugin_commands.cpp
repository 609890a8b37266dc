// plugin list, describe, options, probe. All but probe read manifests and run no foreign code.
#include "cli/commands.hpp"

#include "config/nearest_name.hpp"
#include "plugins/library.hpp"
#include "plugins/manifest.hpp"
#include "plugins/probe.hpp"
#include "plugins/registry.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace muster::host {
namespace {

namespace fs = std::filesystem;

// The manifests in a scope, and what is wrong with its configuration.
struct Found {
  ScannedManifests scanned;
  std::optional<HostConfig> config;
  ConfigErrors errors;
};

Found find(const PluginScope& scope) {
  Found found;
  HostConfig config;
  if (scope.config) {
    auto loaded = load_config({scope.config, {}});
    if (!loaded) {
      found.errors = std::move(loaded.error());
      return found;
    }
    config = *loaded;
    found.config = *loaded;
  }
  if (!scope.folders.empty()) config.plugin_search_path = scope.folders;
  found.scanned = scan(registry_environment(config).search_path);
  for (const PluginDefinition& plugin : config.plugins) {
    if (plugin.path.empty()) continue;
    if (auto manifest = read_manifest(plugin.path)) {
      found.scanned.manifests.push_back(std::move(*manifest));
    } else {
      found.scanned.errors.push_back(manifest.error());
    }
  }
  return found;
}

ExitCode complain(const Found& found, const Streams& streams) {
  streams.err << found.errors.to_string() << "\n";
  return ExitCode::configuration;
}

std::string exports_text(const Manifest& manifest) {
  std::string text;
  for (const ManifestExport& e : manifest.exports) {
    text += (text.empty() ? "" : ", ") + e.interface_id + " " + e.name;
  }
  return text;
}

void list_states(const HostConfig& config, const Streams& streams) {
  const RegistryEnvironment environment = registry_environment(config);
  for (const PluginStatus& status : Registry::survey(config, environment)) {
    streams.out << std::left << std::setw(12) << status.definition << ' ' << std::setw(12)
                << to_string(status.state) << ' ' << std::setw(32) << status.id << ' '
                << status.version;
    if (!status.why.empty()) streams.out << "  " << status.why;
    streams.out << "\n";
  }
}

const Manifest* find_id(const Found& found, const std::string& id, const Streams& streams) {
  const auto at = std::ranges::find(found.scanned.manifests, id, &Manifest::id);
  if (at != found.scanned.manifests.end()) return &*at;
  std::vector<std::string> known;
  for (const Manifest& manifest : found.scanned.manifests) known.push_back(manifest.id);
  streams.err << "no plugin with the id '" << id << "'" << did_you_mean(id, known) << "\n";
  return nullptr;
}

std::string value(const std::map<std::string, std::string>& row, const std::string& key) {
  const auto at = row.find(key);
  return at == row.end() ? "" : at->second;
}

std::string range_text(const std::map<std::string, std::string>& row) {
  std::string text;
  const auto add = [&](const char* words, const std::string& what) {
    if (!what.empty()) text += (text.empty() ? "" : ", ") + (words + what);
  };
  add("default ", value(row, "default"));
  add("default of ", value(row, "default_of"));
  add("at least ", value(row, "min"));
  add("at most ", value(row, "max"));
  add("at least ", value(row, "min_of"));
  add("at most ", value(row, "max_of"));
  add("greater than ", value(row, "above"));
  add("one of ", value(row, "one_of"));
  add("names of ", value(row, "names"));
  return text;
}

}  // namespace

ExitCode list_command(const PluginScope& scope, const Streams& streams) {
  const Found found = find(scope);
  if (!found.errors.errors.empty()) return complain(found, streams);
  if (found.config) {
    list_states(*found.config, streams);
    return ExitCode::ok;
  }
  for (const Manifest& manifest : found.scanned.manifests) {
    streams.out << std::left << std::setw(32) << manifest.id << ' ' << std::setw(8)
                << manifest.version << ' ' << exports_text(manifest) << "\n";
  }
  for (const std::string& error : found.scanned.errors) streams.err << error << "\n";
  return ExitCode::ok;
}

ExitCode describe_command(const PluginScope& scope, const std::string& id, const Streams& streams) {
  const Found found = find(scope);
  if (!found.errors.errors.empty()) return complain(found, streams);
  const Manifest* manifest = find_id(found, id, streams);
  if (manifest == nullptr) return ExitCode::failed;
  streams.out << "id       " << manifest->id << "\nversion  " << manifest->version << "\nlicense  "
              << manifest->license << "\nborder   " << manifest->abi << "\nlibrary  "
              << manifest->library.string() << "\n";
  for (const ManifestExport& e : manifest->exports) {
    streams.out << "export   " << e.interface_id << " " << e.name << ", " << e.options.size()
                << " options\n";
    for (const auto& feature : e.features) {
      streams.out << "feature  " << value(feature, "name") << " " << value(feature, "min") << "-"
                  << value(feature, "max") << ", default " << value(feature, "default") << "\n";
    }
  }
  return ExitCode::ok;
}

ExitCode options_command(const PluginScope& scope, const std::string& id, const Streams& streams) {
  const Found found = find(scope);
  if (!found.errors.errors.empty()) return complain(found, streams);
  const Manifest* manifest = find_id(found, id, streams);
  if (manifest == nullptr) return ExitCode::failed;
  for (const ManifestExport& e : manifest->exports) {
    for (const auto& option : e.options) {
      if (value(option, "internal") == "true") continue;
      streams.out << value(option, "name") << " (" << value(option, "type") << ", "
                  << value(option, "scope") << ")";
      const std::string range = range_text(option);
      if (!range.empty()) streams.out << ": " << range;
      streams.out << "\n    " << value(option, "doc") << "\n";
    }
  }
  return ExitCode::ok;
}

ExitCode probe_command(const fs::path& library, bool here, const Streams& streams) {
  if (here) return static_cast<ExitCode>(probe_here(library));
  const auto refused = [&](const std::string& why) {
    streams.err << why << "\n";
    return ExitCode::plugin;
  };
  std::error_code error;
  const fs::path file = fs::absolute(library, error);
  if (!fs::exists(file, error)) return refused(library.string() + " does not exist");
  const auto manifest = read_manifest(file);
  if (!manifest) return refused(manifest.error());
  const RegistryEnvironment environment = registry_environment({});
  const auto survived = probe_in_child({environment.executable, file, environment.probe_patience});
  if (!survived) return refused(survived.error());
  const auto loaded = Library::load(file);
  if (!loaded) return refused(loaded.error());
  const auto honest = compare(*manifest, loaded->descriptor());
  if (!honest) return refused(honest.error());
  streams.out << library.string() << ": good: " << manifest->id << " " << manifest->version << ", "
              << exports_text(*manifest) << "\n";
  return ExitCode::ok;
}

}  // namespace muster::host
