// load_config: a file or the built-in text, then --set, then the checks over all of it.
#include "config/config_reader.hpp"
#include "config/host_config.hpp"

#include <map>

namespace muster::host {

// config/embedded.toml, put into the program by the build.
extern const std::string_view builtin_config;

namespace {

constexpr const char* builtin_source = "(built-in)";

std::filesystem::path folder_of(const ConfigSource& source) {
  return source.file ? source.file->parent_path() : std::filesystem::path();
}

// What the file says by its lines, then what --set says; otherwise as it was found.
void sort_by_line(ConfigErrors& errors, const std::string& file) {
  std::multimap<std::pair<bool, int>, ConfigError> ordered;
  for (ConfigError& error : errors.errors) {
    const std::pair key(error.origin.file != file, error.origin.line);
    ordered.emplace(key, std::move(error));
  }
  errors.errors.clear();
  for (auto& [key, error] : ordered) errors.errors.push_back(std::move(error));
}

}  // namespace

std::string ConfigErrors::to_string() const {
  std::string text;
  for (const ConfigError& error : errors) {
    if (!text.empty()) text += '\n';
    text += error.origin.file;
    if (error.origin.line > 0) text += ":" + std::to_string(error.origin.line);
    if (!error.origin.file.empty()) text += ": ";
    text += error.message;
  }
  return text;
}

std::string_view to_string(ValueKind kind) {
  switch (kind) {
    case ValueKind::boolean: return "a boolean";
    case ValueKind::integer: return "an integer";
    case ValueKind::floating: return "a floating-point number";
    case ValueKind::string: return "a string";
    case ValueKind::list: break;
  }
  return "a list";
}

std::expected<HostConfig, ConfigErrors> load_config(const ConfigSource& source) {
  HostConfig config;
  config.source = source.file ? source.file->string() : builtin_source;
  auto root =
      source.file ? parse_toml_file(*source.file) : parse_toml(builtin_config, builtin_source);
  if (!root) return std::unexpected(std::move(root.error()));
  ConfigErrors errors;
  ConfigReader reader(config, errors, folder_of(source));
  reader.read(*root);
  for (const std::string& assignment : source.sets) reader.set(assignment);
  reader.finish();
  if (errors.errors.empty()) return config;
  sort_by_line(errors, config.source);
  return std::unexpected(std::move(errors));
}

}  // namespace muster::host
