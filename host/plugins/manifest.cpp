// Reading, comparing and finding manifests.
#include "plugins/manifest.hpp"

#include "config/toml_document.hpp"

#include <algorithm>
#include <set>

namespace muster::host {
namespace {

namespace fs = std::filesystem;

std::string text_of(const TomlNode& table, std::string_view key) {
  const TomlNode* node = table.find(key);
  return node == nullptr || node->kind != TomlNode::Kind::string ? "" : node->text;
}

std::vector<std::map<std::string, std::string>> rows(const TomlNode& table, std::string_view key) {
  std::vector<std::map<std::string, std::string>> out;
  const TomlNode* list = table.find(key);
  if (list == nullptr) return out;
  for (const TomlNode& item : list->items) {
    auto& row = out.emplace_back();
    for (const auto& [name, value] : item.members) row.emplace(name, value.text);
  }
  return out;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view text_or_nothing(const char* text) { return text == nullptr ? "" : text; }

std::expected<void, std::string> compare_exports(const Manifest& manifest,
                                                 const muster_plugin& plugin) {
  std::set<std::string> promised;
  std::set<std::string> given;
  for (const ManifestExport& e : manifest.exports) {
    promised.insert(e.interface_id + " " + in_quotes(e.name));
  }
  for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
    given.insert(plugin.exports[i].interface_id + (" " + in_quotes(plugin.exports[i].name)));
  }
  for (const std::string& e : promised) {
    if (!given.contains(e)) {
      return std::unexpected(manifest.file.string() + " promises " + e +
                             ", which the library does not offer");
    }
  }
  for (const std::string& e : given) {
    if (!promised.contains(e)) {
      return std::unexpected(manifest.file.string() + " does not mention " + e +
                             ", which the library offers");
    }
  }
  return {};
}

}  // namespace

std::expected<Manifest, std::string> read_manifest(const fs::path& library) {
  const fs::path file = library.parent_path() / manifest_name;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return std::unexpected(file.string() + " is missing, which must say what the plugin is");
  }
  const auto root = parse_toml_file(file);
  if (!root) return std::unexpected(root.error().to_string());
  Manifest manifest;
  manifest.file = file;
  manifest.library = library;
  manifest.id = text_of(*root, "id");
  manifest.version = text_of(*root, "version");
  manifest.license = text_of(*root, "license");
  manifest.abi = text_of(*root, "abi");
  if (manifest.id.empty()) return std::unexpected(file.string() + " has no id");
  if (const TomlNode* exports = root->find("export")) {
    for (const TomlNode& item : exports->items) {
      manifest.exports.push_back({text_of(item, "interface"), text_of(item, "name"),
                                  rows(item, "options"), rows(item, "features")});
    }
  }
  return manifest;
}

std::expected<void, std::string> compare(const Manifest& manifest, const muster_plugin& plugin) {
  const auto differ = [&](std::string_view what, std::string_view promised, const char* given) {
    return std::unexpected(manifest.file.string() + " says " + std::string(what) + " " +
                           in_quotes(promised) + ", but the library says " +
                           in_quotes(text_or_nothing(given)));
  };
  if (manifest.id != text_or_nothing(plugin.id)) return differ("id", manifest.id, plugin.id);
  if (manifest.version != text_or_nothing(plugin.version)) {
    return differ("version", manifest.version, plugin.version);
  }
  return compare_exports(manifest, plugin);
}

fs::path library_in(const fs::path& folder) {
  std::error_code error;
  const fs::path same = folder / (folder.filename().string() + ".so");
  if (fs::is_regular_file(same, error)) return same;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".so") found.push_back(entry.path());
  }
  return found.size() == 1 ? found.front() : fs::path();
}

ScannedManifests scan(const std::vector<fs::path>& search_path) {
  ScannedManifests out;
  for (const fs::path& root : search_path) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(root, error)) {
      if (entry.is_directory(error)) folders.push_back(entry.path());
    }
    std::ranges::sort(folders);
    for (const fs::path& folder : folders) {
      const fs::path library = library_in(folder);
      if (library.empty()) continue;
      auto manifest = read_manifest(library);
      if (manifest) {
        out.manifests.push_back(std::move(*manifest));
      } else {
        out.errors.push_back(manifest.error());
      }
    }
  }
  return out;
}

}  // namespace muster::host
