// The definitions are those of Kafka 4.4's LogConfig. Many of them steer things that a broker with
// one replica does not have; they are checked and kept so that tools that set them just work.
#include "topic_config.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>

#include <muster/sdk/text.hpp>

#include "topics/topic_config_words.hpp"

namespace muster::embedded {
namespace {

enum class Type { boolean, int32, int64, float64, string, list, throttled_replicas };

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

struct Definition {
  std::string_view name;
  Type type;
  std::string_view default_value;
  std::int64_t min = int64_min;
  std::int64_t max = int64_max;
  std::string_view one_of = {};
  bool hidden = false;
};

// Ascending by name.
constexpr Definition definitions[] = {
    {"cleanup.policy", Type::list, "delete", 0, 0, "compact, delete"},
    {"compression.gzip.level", Type::int32, "-1", -1, 9},
    {"compression.lz4.level", Type::int32, "9", 1, 17},
    {"compression.type", Type::string, "producer", 0, 0,
     "uncompressed, zstd, lz4, snappy, gzip, producer"},
    {"compression.zstd.level", Type::int32, "3", -131072, 22},
    {"delete.retention.ms", Type::int64, "86400000", 0},
    {"errors.deadletterqueue.group.enable", Type::boolean, "false"},
    {"file.delete.delay.ms", Type::int64, "60000", 0},
    {"flush.messages", Type::int64, "9223372036854775807", 1},
    {"flush.ms", Type::int64, "9223372036854775807", 0},
    {"follower.replication.throttled.replicas", Type::throttled_replicas, ""},
    {"index.interval.bytes", Type::int32, "4096", 0},
    {"internal.segment.bytes", Type::int32, "", int64_min, int64_max, {}, true},
    {"leader.replication.throttled.replicas", Type::throttled_replicas, ""},
    {"local.retention.bytes", Type::int64, "-2", -2},
    {"local.retention.ms", Type::int64, "-2", -2},
    {"max.compaction.lag.ms", Type::int64, "9223372036854775807", 1},
    {"max.decompressed.message.bytes", Type::int32, "2147483639", 1, 2147483639},
    {"max.message.bytes", Type::int32, "1048588", 0},
    {"message.timestamp.after.max.ms", Type::int64, "3600000", 0},
    {"message.timestamp.before.max.ms", Type::int64, "9223372036854775807", 0},
    {"message.timestamp.type", Type::string, "CreateTime", 0, 0, "CreateTime, LogAppendTime"},
    {"min.cleanable.dirty.ratio", Type::float64, "0.5", 0, 1},
    {"min.compaction.lag.ms", Type::int64, "0", 0},
    {"min.insync.replicas", Type::int32, "1", 1},
    {"preallocate", Type::boolean, "false"},
    {"remote.copy.lag.bytes", Type::int64, "-1", -1},
    {"remote.copy.lag.ms", Type::int64, "0", -1},
    {"remote.log.copy.disable", Type::boolean, "false"},
    {"remote.log.delete.on.disable", Type::boolean, "false"},
    {"remote.storage.enable", Type::boolean, "false"},
    {"retention.bytes", Type::int64, "-1"},
    {"retention.ms", Type::int64, "604800000", -1},
    {"segment.bytes", Type::int32, "1073741824", 1048576},
    {"segment.index.bytes", Type::int32, "10485760", 4},
    {"segment.jitter.ms", Type::int64, "0", 0},
    {"segment.ms", Type::int64, "604800000", 1},
    {"unclean.leader.election.enable", Type::boolean, "false"},
};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> items;
  if (trim(text).empty()) return items;
  for (;;) {
    const auto comma = text.find(',');
    items.push_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

bool contains(std::string_view comma_separated, std::string_view item) {
  const auto items = split(comma_separated);
  return std::ranges::find(items, item) != items.end();
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string fault(const Definition& of, std::string_view value, std::string_view why) {
  return sdk::text("Invalid value ", value, " for configuration ", of.name, ": ", why);
}

std::optional<std::string> range_fault(const Definition& of, std::string_view value, double at) {
  if (at < static_cast<double>(of.min)) {
    return fault(of, value, sdk::text("Value must be at least ", of.min));
  }
  if (at > static_cast<double>(of.max)) {
    return fault(of, value, sdk::text("Value must be no more than ", of.max));
  }
  return std::nullopt;
}

std::optional<std::string> integer_fault(const Definition& of, std::string_view value) {
  const bool narrow = of.type == Type::int32;
  const auto parsed = number<std::int64_t>(value);
  if (!parsed || (narrow && (*parsed > int32_max || *parsed < -int32_max - 1))) {
    return fault(of, value, narrow ? "Not a number of type INT" : "Not a number of type LONG");
  }
  if (*parsed < of.min) return fault(of, value, sdk::text("Value must be at least ", of.min));
  if (*parsed > of.max) return fault(of, value, sdk::text("Value must be no more than ", of.max));
  // The one definition with a hole in its range: -1 is gzip's default level, 0 is none.
  if (*parsed == 0 && of.name == "compression.gzip.level") {
    return fault(of, value, "Value must be between 1 and 9 or equal to -1");
  }
  return std::nullopt;
}

std::optional<std::string> list_fault(const Definition& of, std::string_view value) {
  const auto items = split(value);
  for (const std::string_view item : items) {
    if (item.empty()) return sdk::text("Configuration '", of.name, "' values must not be empty.");
    if (!contains(of.one_of, item)) {
      return fault(of, item, sdk::text("String must be one of: ", of.one_of));
    }
  }
  return std::nullopt;
}

std::optional<std::string> throttled_replicas_fault(const Definition& of, std::string_view value) {
  if (trim(value) == "*") return std::nullopt;
  for (const std::string_view item : split(value)) {
    const auto colon = item.find(':');
    const bool pair = colon != std::string_view::npos &&
                      number<std::uint32_t>(item.substr(0, colon)) &&
                      number<std::uint32_t>(item.substr(colon + 1));
    if (!pair) {
      return fault(of, value,
                   "Must be the literal '*' or a list of replicas in the following format: "
                   "[partitionId]:[brokerId],[partitionId]:[brokerId],...");
    }
  }
  return std::nullopt;
}

std::optional<std::string> value_fault(const Definition& of, std::string_view value) {
  switch (of.type) {
    case Type::boolean: {
      const std::string text = lower(trim(value));
      if (text == "true" || text == "false") return std::nullopt;
      return fault(of, value, "Expected value to be either true or false");
    }
    case Type::int32:
    case Type::int64: return integer_fault(of, value);
    case Type::float64: {
      const auto parsed = number<double>(value);
      if (!parsed) return fault(of, value, "Not a number of type DOUBLE");
      return range_fault(of, value, *parsed);
    }
    case Type::string:
      if (contains(of.one_of, trim(value))) return std::nullopt;
      return fault(of, value, sdk::text("String must be one of: ", of.one_of));
    case Type::list: return list_fault(of, value);
    case Type::throttled_replicas: return throttled_replicas_fault(of, value);
  }
  return std::nullopt;
}

// Of Kafka's ConfigType.
constexpr std::int8_t boolean_type = 1;
constexpr std::int8_t list_type = 7;

std::int8_t config_type(Type type) {
  switch (type) {
    case Type::boolean: return boolean_type;
    case Type::string: return 2;
    case Type::int32: return 3;
    case Type::int64: return 5;
    case Type::float64: return 6;
    case Type::list:
    case Type::throttled_replicas: break;
  }
  return list_type;
}

class Effective {
 public:
  Effective(const ConfigOverrides& overrides, const TopicDefaults& defaults)
      : overrides_(overrides), defaults_(defaults) {}

  ConfigEntry entry(const Definition& of) const {
    ConfigEntry entry{.name = of.name, .value = std::string(of.default_value), .synonyms = {}};
    entry.type = config_type(of.type);
    const auto broker = broker_options(of);
    if (const auto set = std::ranges::find(broker, ConfigSource::broker, &BrokerOption::source);
        set != broker.end()) {
      entry.value = in_unit(set->value, set->unit);
      entry.source = ConfigSource::broker;
    }
    if (const auto own = overrides_.find(of.name); own != overrides_.end()) {
      entry.value = own->second;
      entry.source = ConfigSource::topic;
      entry.synonyms.push_back({of.name, own->second, ConfigSource::topic});
    }
    // Kafka leaves out all before the first of the option's own name.
    auto shown = std::ranges::find(broker, words_of(of.name).broker_name, &BrokerOption::name);
    for (; shown != broker.end(); ++shown) {
      entry.synonyms.push_back({shown->name, shown->value, shown->source});
    }
    return entry;
  }
  std::string text(std::string_view name) const {
    return std::string(trim(entry(*std::ranges::find(definitions, name, &Definition::name)).value));
  }
  // Only of values that were checked.
  std::int64_t integer(std::string_view name) const {
    return number<std::int64_t>(text(name)).value_or(0);
  }

 private:
  struct BrokerOption {
    std::string_view name;
    std::string value;
    ConfigSource source;
    std::int64_t unit = 1;
  };

  // For ever is -1 in every unit.
  static std::string in_unit(const std::string& value, std::int64_t unit) {
    if (unit == 1) return value;
    return sdk::text(std::max<std::int64_t>(number<std::int64_t>(value).value_or(0) * unit, -1));
  }

  // First those that are set, then the defaults, each in the order in which they count.
  std::vector<BrokerOption> broker_options(const Definition& of) const {
    const ConfigWords words = words_of(of.name);
    std::vector<BrokerOption> set;
    std::vector<BrokerOption> standard;
    if (words.broker_name.empty()) return set;
    const auto add = [&](std::string_view name, std::int64_t unit, std::string_view value) {
      if (const auto at = defaults_.options.find(name); at != defaults_.options.end()) {
        set.push_back({name, at->second, ConfigSource::broker, unit});
      }
      if (!value.empty()) {
        standard.push_back({name, std::string(value), ConfigSource::standard, unit});
      }
    };
    add(words.broker_name, 1, words.shows_default ? of.default_value : "");
    for (const CoarserOption& coarser : coarser_options) {
      if (coarser.config == of.name) add(coarser.broker_name, coarser.unit, coarser.default_value);
    }
    std::ranges::move(standard, std::back_inserter(set));
    return set;
  }

  const ConfigOverrides& overrides_;
  const TopicDefaults& defaults_;
};

std::optional<std::string> conflict(const Effective& effective) {
  const auto least = effective.integer("min.compaction.lag.ms");
  const auto most = effective.integer("max.compaction.lag.ms");
  if (least > most) {
    return sdk::text("conflict topic config setting min.compaction.lag.ms (", least,
                     ") > max.compaction.lag.ms (", most, ")");
  }
  if (lower(effective.text("remote.storage.enable")) == "true") {
    return "Tiered Storage functionality is disabled in the broker. Topic cannot be configured "
           "with remote log storage.";
  }
  return std::nullopt;
}

}  // namespace

std::expected<TopicConfig, std::string> TopicConfig::make(ConfigOverrides overrides,
                                                          const TopicDefaults& defaults) {
  for (const auto& [name, value] : overrides) {
    const auto* of = std::ranges::find(definitions, name, &Definition::name);
    if (of == std::end(definitions)) {
      return std::unexpected(sdk::text("Unknown topic config name: ", name));
    }
    if (auto wrong = value_fault(*of, value)) return std::unexpected(*std::move(wrong));
  }
  const Effective effective(overrides, defaults);
  if (auto wrong = conflict(effective)) return std::unexpected(*std::move(wrong));
  TopicConfig config;
  config.max_message_bytes = effective.integer("max.message.bytes");
  config.max_decompressed_message_bytes = effective.integer("max.decompressed.message.bytes");
  config.segment_bytes = effective.integer("segment.bytes");
  config.timestamp_before_max_ms = effective.integer("message.timestamp.before.max.ms");
  config.timestamp_after_max_ms = effective.integer("message.timestamp.after.max.ms");
  config.log_append_time = effective.text("message.timestamp.type") == "LogAppendTime";
  config.compacted = contains(effective.text("cleanup.policy"), "compact");
  config.cut_by_retention = contains(effective.text("cleanup.policy"), "delete");
  config.retention_ms = effective.integer("retention.ms");
  config.retention_bytes = effective.integer("retention.bytes");
  config.flush_messages = effective.integer("flush.messages");
  config.overrides_ = std::move(overrides);
  return config;
}

bool TopicConfig::is_list(std::string_view name) {
  const auto* of = std::ranges::find(definitions, name, &Definition::name);
  return of != std::end(definitions) && config_type(of->type) == list_type;
}

std::string_view TopicConfig::standard_value(std::string_view name) {
  const auto* of = std::ranges::find(definitions, name, &Definition::name);
  return of == std::end(definitions) ? std::string_view{} : of->default_value;
}

std::vector<std::string> TopicConfig::list_items(std::string_view value) {
  std::vector<std::string> items;
  for (const std::string_view item : split(value)) {
    if (std::ranges::find(items, item) == items.end()) items.emplace_back(item);
  }
  return items;
}

std::string TopicConfig::list_text(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += ',';
    text += item;
  }
  return text;
}

std::string TopicConfig::as_parsed(const ConfigEntry& entry, std::string_view value) {
  const std::string_view trimmed = trim(value);
  switch (entry.type) {
    case boolean_type: return lower(trimmed);
    case list_type: return list_text(list_items(value));
    default: return std::string(trimmed.starts_with('+') ? trimmed.substr(1) : trimmed);
  }
}

std::vector<ConfigEntry> TopicConfig::entries(const TopicDefaults& defaults) const {
  const Effective effective(overrides_, defaults);
  std::vector<ConfigEntry> all;
  for (const Definition& of : definitions) {
    if (of.hidden && !overrides_.contains(of.name)) continue;
    all.push_back(effective.entry(of));
  }
  return all;
}

}  // namespace muster::embedded
