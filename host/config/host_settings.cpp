// The table of settings, and how each gets into HostConfig.
#include "config/host_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace muster::host {
namespace {

constexpr std::int64_t most = 1LL << 40;

template <auto Member>
SettingResult set_number(HostConfig& config, const SettingValue& value) {
  using Number = std::remove_reference_t<decltype(config.*Member)>;
  config.*Member = static_cast<Number>(value.integer);
  return {};
}

template <auto Member>
SettingResult set_limit(HostConfig& config, const SettingValue& value) {
  using Number = std::remove_reference_t<decltype(config.limits.*Member)>;
  config.limits.*Member = static_cast<Number>(value.integer);
  return {};
}

template <class Enum, std::size_t Size>
SettingResult set_word(Enum& out, const std::string& text,
                       const std::array<std::pair<std::string_view, Enum>, Size>& words) {
  std::string known;
  for (const auto& [word, meaning] : words) {
    if (text == word) {
      out = meaning;
      return {};
    }
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return std::unexpected("must be one of " + known + ", but is '" + text + "'");
}

SettingResult set_log_level(HostConfig& config, const SettingValue& value) {
  static constexpr std::array<std::pair<std::string_view, LogLevel>, 4> words{
      {{"debug", LogLevel::debug},
       {"info", LogLevel::info},
       {"warn", LogLevel::warn},
       {"error", LogLevel::error}}};
  return set_word(config.log_level, value.text, words);
}

SettingResult set_log_format(HostConfig& config, const SettingValue& value) {
  static constexpr std::array<std::pair<std::string_view, LogFormat>, 2> words{
      {{"text", LogFormat::text}, {"json", LogFormat::json}}};
  return set_word(config.log_format, value.text, words);
}

SettingResult set_check_border(HostConfig& config, const SettingValue& value) {
  static constexpr std::array<std::pair<std::string_view, bool>, 2> words{
      {{"off", false}, {"on", true}}};
  return set_word(config.check_border, value.text, words);
}

SettingResult set_admin(HostConfig& config, const SettingValue& value) {
  config.admin.reset();
  if (value.text.empty()) return {};
  auto address = parse_address(value.text);
  if (!address) return std::unexpected(address.error());
  config.admin = *address;
  return {};
}

template <char Which>
SettingResult set_first_listener(HostConfig& config, const SettingValue& value) {
  constexpr std::string_view key = Which == 'n' ? "name" : Which == 'b' ? "bind" : "advertised";
  return set_listener(config.listeners.front(), key, value.text);
}

SettingResult set_data_dir(HostConfig& config, const SettingValue& value) {
  if (value.text.empty()) return std::unexpected("must not be empty");
  config.data_dir = value.text;
  return {};
}

SettingResult set_search_path(HostConfig& config, const SettingValue& value) {
  config.plugin_search_path.clear();
  for (const std::string& item : value.items) {
    if (item.empty()) return std::unexpected("must not hold an empty folder name");
    config.plugin_search_path.push_back((value.folder / item).lexically_normal());
  }
  return {};
}

SettingResult set_bound_groups(HostConfig& config, const SettingValue& value) {
  config.bind.groups.clear();
  for (const std::string& item : value.items) config.bind.groups.push_back({item, value.origin});
  return {};
}

SettingResult set_bound_store(HostConfig& config, const SettingValue& value) {
  config.bind.store = {value.text, value.origin};
  return {};
}

SettingResult set_bound_broker(HostConfig& config, const SettingValue& value) {
  config.bind.broker = {value.text, value.origin};
  return {};
}

using enum SettingType;
using Config = HostConfig;
using Limits = LimitsConfig;

constexpr Setting settings[] = {
    {"admin.bind", string, 0, 0, "",
     "Address of the admin listener (/healthz, /readyz, /metrics, /api/v1/plugins); empty: none.",
     set_admin},
    {"bind.broker", string, 0, 0, "", "The plugin that is the data plane.", set_bound_broker},
    {"bind.groups", list, 0, 0, "", "The group protocols that are on.", set_bound_groups},
    {"bind.store", string, 0, 0, "", "The plugin that keeps the coordinator's state.",
     set_bound_store},
    {"host.assignor_deadline_ms", integer, 1, 3600000, "30000",
     "A worker that takes longer for one task is written off and replaced.",
     set_number<&Config::assignor_deadline_ms>},
    {"host.check_border", string, 0, 0, "off",
     "off or on: whether calls between host and group protocols are checked for their threads.",
     set_check_border},
    {"host.data_dir", string, 0, 0, "data",
     "The folder that holds everything that is kept; relative to the working directory.",
     set_data_dir},
    {"host.threads", integer, 0, 256, "0",
     "Threads that serve connections and shards; 0: as many as cores, at most 4.",
     set_number<&Config::threads>},
    {"host.workers", integer, 1, 256, "2",
     "Threads for assignors, regular expressions and loading.", set_number<&Config::workers>},
    {"limits.connection_bytes", integer, 1024, most, "8388608",
     "Bytes of unanswered requests at which a connection is not read any more.",
     set_limit<&Limits::connection_bytes>},
    {"limits.connection_requests", integer, 1, 1000000, "64",
     "Unanswered requests at which a connection is not read any more.",
     set_limit<&Limits::connection_requests>},
    {"limits.in_flight_bytes", integer, 1048576, most, "268435456",
     "Bytes of unanswered requests at which no connection is read until they are below 3/4.",
     set_limit<&Limits::in_flight_bytes>},
    {"limits.shard_uncommitted_bytes", integer, 1024, most, "4194304",
     "Bytes of uncommitted batches at which a shard's queue waits.",
     set_limit<&Limits::shard_uncommitted_bytes>},
    {"limits.shard_uncommitted_ms", integer, 1, 3600000, "5000",
     "Age of the oldest uncommitted batch at which a shard's queue waits.",
     set_limit<&Limits::shard_uncommitted_ms>},
    {"listener.advertised", string, 0, 0, "",
     "Address that clients are told; empty: the bound one.", set_first_listener<'a'>},
    {"listener.bind", string, 0, 0, "127.0.0.1:9092",
     "Address that Kafka clients connect to; port 0: a free one.", set_first_listener<'b'>},
    {"listener.name", string, 0, 0, "PLAINTEXT", "Name of the listener.", set_first_listener<'n'>},
    {"log.format", string, 0, 0, "text", "text or json: how a line of the log looks.",
     set_log_format},
    {"log.level", string, 0, 0, "info", "debug, info, warn or error: the least that is logged.",
     set_log_level},
    {"plugins.search_path", list, 0, 0, "",
     "Folders that hold plugins, one folder each; empty: beside the executable.", set_search_path},
};

}  // namespace

std::span<const Setting> host_settings() { return settings; }

const Setting* find_setting(std::string_view name) {
  const auto* at = std::ranges::find(settings, name, &Setting::name);
  return at == std::end(settings) ? nullptr : at;
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& setting : settings) names.emplace_back(setting.name);
  return names;
}

std::expected<Address, std::string> parse_address(std::string_view text) {
  const auto complain = [&] {
    return std::unexpected("must be HOST:PORT, but is '" + std::string(text) + "'");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return complain();
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (host.empty() || (!bracketed && host.find(':') != std::string_view::npos)) return complain();
  const std::string_view port = text.substr(colon + 1);
  Address address{std::string(host), 0};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || error != std::errc() || end != port.data() + port.size()) return complain();
  return address;
}

SettingResult set_listener(ListenerConfig& listener, std::string_view key,
                           const std::string& text) {
  if (key == "name") {
    if (text.empty()) return std::unexpected("must not be empty");
    listener.name = text;
    return {};
  }
  Address& target = key == "bind" ? listener.bind : listener.advertised;
  if (key == "advertised" && text.empty()) {
    target = {};
    return {};
  }
  auto address = parse_address(text);
  if (!address) return std::unexpected(address.error());
  target = *address;
  return {};
}

}  // namespace muster::host
