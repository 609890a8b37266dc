// ConfigReader: what can only be judged when everything has been read.
#include "config/config_reader.hpp"
#include "config/nearest_name.hpp"
#include "config/option_value.hpp"
#include "config/options.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <thread>

namespace muster::host {
namespace {

constexpr std::uint32_t most_default_threads = 4;

// Also the name of the plugin's folder in the data folder.
bool is_plain_name(std::string_view name) {
  return !name.starts_with('.') && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

void ConfigReader::finish() {
  finish_listeners();
  finish_plugins();
  finish_bind();
  finish_host_options();
  if (config_.threads == 0) {
    config_.threads = std::clamp(std::thread::hardware_concurrency(), 1U, most_default_threads);
  }
}

void ConfigReader::finish_listeners() {
  std::set<std::string> names;
  for (const ListenerConfig& listener : config_.listeners) {
    if (names.insert(listener.name).second) continue;
    fail({config_.source, 0}, "two listeners are named '" + listener.name + "'");
  }
}

void ConfigReader::finish_plugins() {
  std::set<std::string> names;
  for (const PluginDefinition& plugin : config_.plugins) {
    if (plugin.name.empty()) {
      fail(plugin.origin, "a [[plugin]] needs a name");
    } else if (!is_plain_name(plugin.name) || plugin.name == "host" || plugin.name == "unknown") {
      fail(plugin.origin, "'" + plugin.name +
                              "' cannot name a plugin: letters, digits, '-', '_' and '.' only, no "
                              "'.' in front, and neither 'host' nor 'unknown'");
    } else if (!names.insert(plugin.name).second) {
      fail(plugin.origin, "two plugins are named '" + plugin.name + "'");
    } else if (plugin.id.empty() && plugin.path.empty()) {
      fail(plugin.origin, "plugin '" + plugin.name + "' needs an id or a path");
    }
  }
}

void ConfigReader::finish_bind() {
  if (config_.bind.store.name.empty()) {
    fail({config_.source, 0}, "[bind] must name a store");
  } else {
    check_bound("store", config_.bind.store);
  }
  if (config_.bind.broker.name.empty()) {
    fail({config_.source, 0}, "[bind] must name a broker");
  } else {
    check_bound("broker", config_.bind.broker);
  }
  std::set<std::string> names;
  for (const BoundName& bound : config_.bind.groups) {
    check_bound("groups", bound);
    if (names.insert(bound.name).second) continue;
    fail(bound.origin, "'bind.groups' names '" + bound.name + "' twice");
  }
}

void ConfigReader::check_bound(std::string_view what, const BoundName& bound) {
  const std::string definition = bound.name.substr(0, bound.name.find('/'));
  std::vector<std::string> known;
  known.reserve(config_.plugins.size());
  for (const PluginDefinition& plugin : config_.plugins) known.push_back(plugin.name);
  if (std::ranges::find(known, definition) != known.end()) return;
  fail(bound.origin, "'bind." + std::string(what) + "' names '" + definition +
                         "', which no [[plugin]] defines" + did_you_mean(definition, known));
}

// The host needs some options, all of them numbers, before there is a plugin that could declare
// others. Options checks them all again.
void ConfigReader::finish_host_options() {
  for (const ConfiguredValue& configured : config_.options) {
    for (const muster_option& option : host_options()) {
      if (configured.name != option.name || option.type != MUSTER_OPTION_INT64) continue;
      if (!configured.from_command_line && configured.kind != ValueKind::integer) {
        fail(configured.origin, "option '" + configured.name + "' must be an integer, but is " +
                                    std::string(to_string(configured.kind)));
        continue;
      }
      const auto value = parse_option(option, configured.text);
      if (!value) {
        fail(configured.origin, "invalid value '" + configured.text + "' for option '" +
                                    configured.name + "': " + value.error());
        continue;
      }
      const auto narrow = static_cast<std::uint32_t>(value->integer);
      if (configured.name == "node.id") config_.node_id = static_cast<std::int32_t>(narrow);
      if (configured.name == "offsets.topic.num.partitions") config_.shard_count = narrow;
      if (configured.name == "socket.request.max.bytes") config_.limits.max_frame_bytes = narrow;
      if (configured.name == "connections.max.idle.ms") {
        config_.limits.connections_max_idle_ms = value->integer;
      }
    }
  }
}

}  // namespace muster::host
