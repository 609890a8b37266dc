// ConfigReader: tables, one by one.
#include "config/config_reader.hpp"

#include "config/nearest_name.hpp"
#include "config/option_value.hpp"

#include <algorithm>
#include <charconv>

namespace muster::host {
namespace {

using Kind = TomlNode::Kind;

const std::vector<std::string> table_names{"admin",    "bind", "features", "host",   "limits",
                                           "listener", "log",  "options",  "plugin", "plugins"};
const std::vector<std::string> plugin_keys{"enabled", "id", "name", "optional", "path"};
const std::vector<std::string> listener_keys{"advertised", "bind", "name"};

std::string join(const std::string& prefix, const std::string& key) {
  return prefix.empty() ? key : prefix + "." + key;
}

std::string_view wanted_text(SettingType type) {
  switch (type) {
    case SettingType::integer: return "an integer";
    case SettingType::list: return "a list of strings";
    case SettingType::string: break;
  }
  return "a string";
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool is_string_list(const TomlNode& node) {
  return node.kind == Kind::array &&
         std::ranges::all_of(node.items, [](const TomlNode& i) { return i.kind == Kind::string; });
}

}  // namespace

void ConfigReader::read(const TomlNode& root) {
  for (const auto& [name, node] : root.members) {
    if (name == "options" && node.kind == Kind::table) {
      read_options("", node);
    } else if (name == "features" && node.kind == Kind::table) {
      read_features("", node);
    } else if (name == "plugin") {
      read_plugins(node);
    } else if (name == "listener") {
      read_listeners(node);
    } else if (std::ranges::find(table_names, name) == table_names.end()) {
      fail(node.origin, "unknown table '" + name + "'" + did_you_mean(name, table_names));
    } else if (node.kind != Kind::table) {
      fail(node.origin, "'" + name + "' must be a table: [" + name + "]");
    } else {
      read_table(name, node);
    }
  }
}

void ConfigReader::read_table(const std::string& table, const TomlNode& node) {
  for (const auto& [key, value] : node.members) read_setting(join(table, key), value);
}

void ConfigReader::read_setting(const std::string& name, const TomlNode& node) {
  const Setting* setting = find_setting(name);
  if (setting == nullptr) {
    return fail(node.origin,
                "unknown setting '" + name + "'" + did_you_mean(name, setting_names()));
  }
  SettingValue value{node.text, node.integer, {}, folder_, node.origin};
  bool fits = false;
  switch (setting->type) {
    case SettingType::string: fits = node.kind == Kind::string; break;
    case SettingType::integer: fits = node.kind == Kind::integer; break;
    case SettingType::list:
      fits = is_string_list(node);
      for (const TomlNode& item : node.items) value.items.push_back(item.text);
      break;
  }
  if (fits) return apply(*setting, std::move(value));
  fail(node.origin, "'" + name + "' must be " + std::string(wanted_text(setting->type)) +
                        ", but is " + std::string(to_string(node.kind)));
}

void ConfigReader::apply(const Setting& setting, SettingValue value) {
  const std::string quoted = "'" + std::string(setting.name) + "'";
  if (setting.type == SettingType::integer &&
      (value.integer < setting.min || value.integer > setting.max)) {
    return fail(value.origin, quoted + " must be between " + std::to_string(setting.min) + " and " +
                                  std::to_string(setting.max) + ", but is " +
                                  std::to_string(value.integer));
  }
  if (auto good = setting.apply(config_, value); !good) {
    fail(value.origin, quoted + " " + good.error());
  }
}

void ConfigReader::read_listeners(const TomlNode& node) {
  if (node.kind == Kind::table) return read_listener(config_.listeners.front(), node);
  if (node.kind != Kind::array || node.items.empty()) {
    return fail(node.origin, "'listener' must be a table: [listener], or several: [[listener]]");
  }
  config_.listeners.clear();
  for (const TomlNode& item : node.items) {
    read_listener(config_.listeners.emplace_back(), item);
  }
}

void ConfigReader::read_listener(ListenerConfig& listener, const TomlNode& node) {
  if (node.kind != Kind::table) return fail(node.origin, "a listener must be a table");
  for (const auto& [key, value] : node.members) {
    const std::string quoted = "'listener." + key + "'";
    if (std::ranges::find(listener_keys, key) == listener_keys.end()) {
      fail(value.origin, "unknown setting " + quoted + did_you_mean(key, listener_keys));
    } else if (value.kind != Kind::string) {
      fail(value.origin,
           quoted + " must be a string, but is " + std::string(to_string(value.kind)));
    } else if (auto good = set_listener(listener, key, value.text); !good) {
      fail(value.origin, quoted + " " + good.error());
    }
  }
}

void ConfigReader::read_plugins(const TomlNode& node) {
  if (node.kind != Kind::array) {
    return fail(node.origin, "each plugin is a table of its own: [[plugin]]");
  }
  for (const TomlNode& item : node.items) read_plugin(item);
}

void ConfigReader::read_plugin(const TomlNode& node) {
  if (node.kind != Kind::table) return fail(node.origin, "a plugin must be a table: [[plugin]]");
  PluginDefinition plugin;
  plugin.origin = node.origin;
  for (const auto& [key, value] : node.members) read_plugin_key(plugin, key, value);
  config_.plugins.push_back(std::move(plugin));
}

void ConfigReader::read_plugin_key(PluginDefinition& plugin, std::string_view key,
                                   const TomlNode& node) {
  const std::string quoted = "'" + std::string(key) + "' of a [[plugin]]";
  const auto wrong = [&](std::string_view wanted) {
    fail(node.origin, quoted + " must be " + std::string(wanted) + ", but is " +
                          std::string(to_string(node.kind)));
  };
  if (key == "enabled" || key == "optional") {
    if (node.kind != Kind::boolean) return wrong("a boolean");
    (key == "enabled" ? plugin.enabled : plugin.optional) = node.boolean;
  } else if (key == "name" || key == "id" || key == "path") {
    if (node.kind != Kind::string) return wrong("a string");
    if (node.text.empty()) return fail(node.origin, quoted + " must not be empty");
    if (key == "name") plugin.name = node.text;
    if (key == "id") plugin.id = node.text;
    if (key == "path") plugin.path = (folder_ / node.text).lexically_normal();
  } else {
    fail(node.origin, "unknown key " + quoted + did_you_mean(key, plugin_keys));
  }
}

void ConfigReader::read_features(const std::string& prefix, const TomlNode& node) {
  for (const auto& [key, value] : node.members) {
    const std::string name = join(prefix, key);
    if (value.kind == Kind::table) {
      read_features(name, value);
    } else if (value.kind != Kind::integer) {
      fail(value.origin, "the level of feature '" + name + "' must be an integer, but is " +
                             std::string(to_string(value.kind)));
    } else {
      config_.features[name] = {value.integer, value.origin};
    }
  }
}

// Quoted and nested spellings of a dotted name meet here: all are joined with dots.
void ConfigReader::read_options(const std::string& prefix, const TomlNode& node) {
  for (const auto& [key, value] : node.members) {
    const std::string name = join(prefix, key);
    if (value.kind == Kind::table) {
      read_options(name, value);
    } else {
      read_option(name, value);
    }
  }
}

void ConfigReader::read_option(const std::string& name, const TomlNode& node) {
  const auto before = std::ranges::find(config_.options, name, &ConfiguredValue::name);
  if (before != config_.options.end()) {
    return fail(node.origin, "option '" + name + "' is set twice, first in line " +
                                 std::to_string(before->origin.line));
  }
  ConfiguredValue value{name, ValueKind::string, node.text, {}, false, node.origin};
  switch (node.kind) {
    case Kind::boolean: value.kind = ValueKind::boolean; break;
    case Kind::integer: value.kind = ValueKind::integer; break;
    case Kind::floating: value.kind = ValueKind::floating; break;
    case Kind::string: break;
    case Kind::array:
      if (!is_string_list(node)) {
        return fail(node.origin, "option '" + name + "' may only list strings");
      }
      value.kind = ValueKind::list;
      for (const TomlNode& item : node.items) value.items.push_back(item.text);
      value.text = join_list(value.items);
      break;
    case Kind::date:
    case Kind::table:
      return fail(node.origin,
                  "option '" + name + "' cannot be " + std::string(to_string(node.kind)));
  }
  config_.options.push_back(std::move(value));
}

void ConfigReader::set(const std::string& assignment) {
  const Origin origin{"--set " + assignment, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(origin, "must be NAME=VALUE");
  }
  const std::string name = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  if (const Setting* setting = find_setting(name)) {
    SettingValue value{text, 0, {}, std::filesystem::path(), origin};
    if (setting->type == SettingType::integer) {
      const auto number = parse_number(text);
      if (!number) return fail(origin, "'" + name + "' must be an integer");
      value.integer = *number;
    } else if (setting->type == SettingType::list) {
      value.items = split_list(text);
    }
    return apply(*setting, std::move(value));
  }
  if (name.starts_with("listener.") && set_named_listener(name, text)) return;
  if (name.starts_with("features.")) return set_feature(name.substr(9), text);
  config_.options.push_back({name, ValueKind::string, text, {}, true, origin});
}

// listener.NAME.KEY
bool ConfigReader::set_named_listener(std::string_view name, const std::string& text) {
  const std::string_view rest = name.substr(std::string_view("listener.").size());
  const std::size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view key = rest.substr(dot + 1);
  const auto at = std::ranges::find(config_.listeners, rest.substr(0, dot), &ListenerConfig::name);
  if (at == config_.listeners.end()) return false;
  if (std::ranges::find(listener_keys, key) == listener_keys.end()) return false;
  if (auto good = set_listener(*at, key, text); !good) {
    fail({"--set " + std::string(name) + "=" + text, 0},
         "'" + std::string(name) + "' " + good.error());
  }
  return true;
}

void ConfigReader::set_feature(const std::string& name, const std::string& text) {
  const Origin origin{"--set features." + name + "=" + text, 0};
  const auto level = parse_number(text);
  if (!level) return fail(origin, "the level of feature '" + name + "' must be an integer");
  config_.features[name] = {*level, origin};
}

void ConfigReader::fail(const Origin& origin, std::string message) {
  errors_.errors.push_back({origin, std::move(message), false});
}

}  // namespace muster::host
