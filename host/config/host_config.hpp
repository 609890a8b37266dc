// The typed configuration of a host, as read from TOML and --set. Plain data, made once at start.
// Owner: host/config. What each setting means: docs/configuration.md.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

// Where a value was written, so that a complaint about it can say so. `--set` has line 0.
struct Origin {
  std::string file;
  int line = 0;
};

struct ConfigError {
  Origin origin;
  std::string message;
  bool about_plugin = false;  // a plugin was refused, rather than a setting
};

// Everything that is wrong at once, in file order: one sentence a line.
struct ConfigErrors {
  std::vector<ConfigError> errors;

  [[nodiscard]] std::string to_string() const;
};

struct Address {
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const Address&, const Address&) = default;
};

struct ListenerConfig {
  std::string name = "PLAINTEXT";
  Address bind{"127.0.0.1", 9092};
  // An empty host means the bind host, port 0 the port that was bound.
  Address advertised;
};

enum class LogFormat { text, json };
enum class LogLevel { debug, info, warn, error };

struct LimitsConfig {
  std::uint32_t connection_requests = 64;
  std::uint64_t connection_bytes = 8ULL << 20;
  std::uint64_t in_flight_bytes = 256ULL << 20;
  std::uint64_t shard_uncommitted_bytes = 4ULL << 20;
  std::uint32_t shard_uncommitted_ms = 5000;
  std::uint32_t max_frame_bytes = 104857600;      // option socket.request.max.bytes
  std::int64_t connections_max_idle_ms = 600000;  // option connections.max.idle.ms; < 0: never
};

// One [[plugin]]: where a plugin comes from. What it is used for stands in [bind] and [options].
struct PluginDefinition {
  std::string name;
  std::string id;              // empty if only a path is given
  std::filesystem::path path;  // a file, or empty: looked for on the search path by id
  bool enabled = true;
  bool optional = false;
  Origin origin;
};

struct BoundName {
  std::string name;  // DEFINITION or DEFINITION/EXPORT
  Origin origin;
};

struct BindConfig {
  std::vector<BoundName> groups;
  BoundName store;
  BoundName broker;
};

enum class ValueKind { boolean, integer, floating, string, list };
[[nodiscard]] std::string_view to_string(ValueKind kind);  // "a string"

// One entry of [options] with its dotted name, before any plugin has said what it means.
// From --set the kind is always string: the declaration decides how to read it.
struct ConfiguredValue {
  std::string name;
  ValueKind kind = ValueKind::string;
  std::string text;                // a list's items joined by commas
  std::vector<std::string> items;  // lists only
  bool from_command_line = false;
  Origin origin;
};

struct FeatureSetting {
  std::int64_t level = 0;
  Origin origin;
};

struct HostConfig {
  std::string source;  // the file, or "(built-in)"
  std::vector<ListenerConfig> listeners{ListenerConfig{}};
  std::optional<Address> admin;  // off if empty
  std::filesystem::path data_dir = "data";
  std::int32_t node_id = 0;                    // option node.id
  std::uint32_t shard_count = 50;              // option offsets.topic.num.partitions
  std::uint32_t threads = 0;                   // never 0 after load_config: min(cores, 4)
  std::uint32_t workers = 2;                   // pool for assignors, regexes and loading
  std::uint32_t assignor_deadline_ms = 30000;  // a worker that takes longer is written off
  bool check_border = false;                   // whether calls over the border are looked at
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::text;
  LimitsConfig limits;
  std::vector<std::filesystem::path> plugin_search_path;  // empty: the default one
  std::vector<PluginDefinition> plugins;
  BindConfig bind;
  std::map<std::string, FeatureSetting> features;
  std::vector<ConfiguredValue> options;  // in file order, --set last; the last of a name wins
};

struct ConfigSource {
  std::optional<std::filesystem::path> file;  // none: the built-in default (config/embedded.toml)
  std::vector<std::string> sets;              // NAME=VALUE
};

[[nodiscard]] std::expected<HostConfig, ConfigErrors> load_config(const ConfigSource& source);

}  // namespace muster::host
