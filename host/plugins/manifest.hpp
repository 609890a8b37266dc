// plugin.toml: what a plugin says about itself without being run. Owner: host/plugins.
#pragma once

#include <muster/abi/plugin.h>

#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace muster::host {

struct ManifestExport {
  std::string interface_id;
  std::string name;
  std::vector<std::map<std::string, std::string>> options;   // as text, by key
  std::vector<std::map<std::string, std::string>> features;  // as text, by key
};

struct Manifest {
  std::filesystem::path file;     // plugin.toml
  std::filesystem::path library;  // the .so beside it
  std::string id;
  std::string version;
  std::string license;
  std::string abi;
  std::vector<ManifestExport> exports;
};

inline constexpr const char* manifest_name = "plugin.toml";

// Of the folder `library` is in. The error is one sentence that names file and line.
[[nodiscard]] std::expected<Manifest, std::string> read_manifest(
    const std::filesystem::path& library);

// Whether the library says of itself what its manifest says.
[[nodiscard]] std::expected<void, std::string> compare(const Manifest& manifest,
                                                       const muster_plugin& plugin);

// The library in a plugin's folder: FOLDER/FOLDER.so, or else the only .so in it. Empty: none.
[[nodiscard]] std::filesystem::path library_in(const std::filesystem::path& folder);

struct ScannedManifests {
  std::vector<Manifest> manifests;  // those of earlier folders first
  std::vector<std::string> errors;  // about those that cannot be read
};
[[nodiscard]] ScannedManifests scan(const std::vector<std::filesystem::path>& search_path);

}  // namespace muster::host
