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

// What topics have that do not say otherwise; from the broker's own options.
struct TopicDefaults {
  std::int64_t max_message_bytes = 1048588;
  std::string timestamp_type = "CreateTime";
  std::int64_t timestamp_before_max_ms = 9223372036854775807;
  std::int64_t timestamp_after_max_ms = 3600000;
};

// As CreateTopics shows one entry; `source` has the numbers of DescribeConfigs.
struct ConfigEntry {
  static constexpr std::int8_t from_topic = 1;
  static constexpr std::int8_t from_broker = 4;
  static constexpr std::int8_t from_default = 5;

  std::string_view name;
  std::string value;
  std::int8_t source = from_default;
};

using ConfigOverrides = std::map<std::string, std::string, std::less<>>;

class TopicConfig {
 public:
  // Checks names, types and bounds; the error is a sentence for INVALID_CONFIG.
  static std::expected<TopicConfig, std::string> make(ConfigOverrides overrides,
                                                      const TopicDefaults& defaults);

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

 private:
  TopicConfig() = default;

  ConfigOverrides overrides_;
};

}  // namespace muster::embedded
