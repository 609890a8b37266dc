// The host's own settings as data: what `--set` and the tables of a configuration file may name.
// Owner: host/config.
#pragma once

#include "config/host_config.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

enum class SettingType { string, integer, list };

// One value on its way into a HostConfig, already of the setting's type and range.
struct SettingValue {
  std::string text;
  std::int64_t integer = 0;
  std::vector<std::string> items;
  std::filesystem::path folder;  // what relative paths are relative to
  Origin origin;
};

using SettingResult = std::expected<void, std::string>;

struct Setting {
  std::string_view name;  // "limits.connection_bytes"
  SettingType type = SettingType::string;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::string_view default_text;
  std::string_view doc;
  SettingResult (*apply)(HostConfig& config, const SettingValue& value);
};

[[nodiscard]] std::span<const Setting> host_settings();
[[nodiscard]] const Setting* find_setting(std::string_view name);
[[nodiscard]] std::vector<std::string> setting_names();

// "host:port", "[::1]:port".
[[nodiscard]] std::expected<Address, std::string> parse_address(std::string_view text);

// The three keys of a listener, for [listener], each [[listener]] and `--set listener.NAME.KEY`.
[[nodiscard]] SettingResult set_listener(ListenerConfig& listener, std::string_view key,
                                         const std::string& text);

}  // namespace muster::host
