// Reads one TOML tree and then the `--set` list into a HostConfig. Owner: host/config. Used once,
// by load_config.
#pragma once

#include "config/host_config.hpp"
#include "config/host_settings.hpp"
#include "config/toml_document.hpp"

#include <string>
#include <string_view>

namespace muster::host {

class ConfigReader {
 public:
  ConfigReader(HostConfig& config, ConfigErrors& errors, std::filesystem::path folder)
      : config_(config), errors_(errors), folder_(std::move(folder)) {}

  void read(const TomlNode& root);
  void set(const std::string& assignment);
  // After all: names that must exist, and what the host's own options mean for it.
  void finish();

 private:
  void read_table(const std::string& table, const TomlNode& node);
  void read_setting(const std::string& name, const TomlNode& node);
  void read_listeners(const TomlNode& node);
  void read_listener(ListenerConfig& listener, const TomlNode& node);
  void read_plugins(const TomlNode& node);
  void read_plugin(const TomlNode& node);
  void read_plugin_key(PluginDefinition& plugin, std::string_view key, const TomlNode& node);
  void read_features(const std::string& prefix, const TomlNode& node);
  void read_options(const std::string& prefix, const TomlNode& node);
  void read_option(const std::string& name, const TomlNode& node);
  bool set_named_listener(std::string_view name, const std::string& text);
  void set_feature(const std::string& name, const std::string& text);
  void apply(const Setting& setting, SettingValue value);

  void finish_listeners();
  void finish_plugins();
  void finish_bind();
  void check_bound(std::string_view what, const BoundName& bound);
  void finish_host_options();

  void fail(const Origin& origin, std::string message);

  HostConfig& config_;
  ConfigErrors& errors_;
  std::filesystem::path folder_;
};

}  // namespace muster::host
