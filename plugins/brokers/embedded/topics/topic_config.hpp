// The configuration of one topic: Kafka's names, types and bounds, what a topic overrides, and the
// values that the broker acts on. Immutable once made. Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster::embedded {

// What topics have that do not say otherwise: by Kafka's name, the broker's own options that are
// set to something else than Kafka's default.
struct TopicDefaults {
  std::map<std::string, std::string, std::less<>> options = {};
};

// Where a value comes from, by the numbers of DescribeConfigs.
enum class ConfigSource : std::int8_t { topic = 1, broker = 4, standard = 5 };

// A name and value that a config takes or would take, were it not for the one before.
struct ConfigSynonym {
  std::string_view name;
  std::string value;
  ConfigSource source = ConfigSource::standard;
};

// One config as CreateTopics and DescribeConfigs show it.
struct ConfigEntry {
  std::string_view name;
  std::string value;
  ConfigSource source = ConfigSource::standard;  // as CreateTopics says it
  std::int8_t type = 0;                          // Kafka's ConfigType
  std::vector<ConfigSynonym> synonyms;

  // As DescribeConfigs says it, which knows no source without a synonym to show.
  ConfigSource described_source() const {
    return synonyms.empty() ? ConfigSource::standard : synonyms.front().source;
  }
};

using ConfigOverrides = std::map<std::string, std::string, std::less<>>;

class TopicConfig {
 public:
  // Checks names, types and bounds; the error is a sentence for INVALID_CONFIG.
  static std::expected<TopicConfig, std::string> make(ConfigOverrides overrides,
                                                      const TopicDefaults& defaults);

  // Whether the config is a list, which can be appended to; false for a name that is none.
  static bool is_list(std::string_view name);
  // Kafka's default, whatever the broker's options say; empty for a name that is none.
  static std::string_view standard_value(std::string_view name);
  // A list's items, each once, and the list of items.
  static std::vector<std::string> list_items(std::string_view value);
  static std::string list_text(const std::vector<std::string>& items);
  // A value of the entry as Kafka shows what it made of it: " TRUE" is true.
  static std::string as_parsed(const ConfigEntry& entry, std::string_view value);

  const ConfigOverrides& overrides() const { return overrides_; }
  // Every config of a topic, ascending by name.
  std::vector<ConfigEntry> entries(const TopicDefaults& defaults) const;

  std::int64_t max_message_bytes = 0;
  std::int64_t max_decompressed_message_bytes = 0;
  std::int64_t segment_bytes = 0;
  std::int64_t timestamp_before_max_ms = 0;
  std::int64_t timestamp_after_max_ms = 0;
  bool log_append_time = false;
  bool compacted = false;
  bool cut_by_retention = false;
  std::int64_t retention_ms = -1;
  std::int64_t retention_bytes = -1;
  std::int64_t flush_messages = 0;

 private:
  TopicConfig() = default;

  ConfigOverrides overrides_;
};

}  // namespace muster::embedded
