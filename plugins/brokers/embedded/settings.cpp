// See settings.hpp.
#include "settings.hpp"

#include <muster/sdk/failure.hpp>
#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

template <class Integer>
Integer integer(const sdk::Options& options, std::string_view name) {
  return static_cast<Integer>(sdk::Int64Option(options, name)());
}

// The options that topics fall back to; the rest of their configs has Kafka's defaults.
constexpr std::string_view topic_options[] = {
    "log.cleanup.policy",
    "log.flush.interval.messages",
    "log.message.timestamp.after.max.ms",
    "log.message.timestamp.before.max.ms",
    "log.message.timestamp.type",
    "log.retention.bytes",
    "log.retention.hours",
    "log.retention.minutes",
    "log.retention.ms",
    "log.segment.bytes",
    "max.decompressed.message.bytes",
    "message.max.bytes",
};

std::string_view declared_default(std::string_view name) {
  for (const muster_option& option : declared_options) {
    if (option.name == name && option.default_value != nullptr) return option.default_value;
  }
  return {};
}

// The one value in the range of these that Kafka does not take.
void check_retention(const TopicDefaults& defaults) {
  for (const std::string_view name :
       {"log.retention.ms", "log.retention.minutes", "log.retention.hours"}) {
    const auto at = defaults.options.find(name);
    if (at == defaults.options.end()) continue;
    if (at->second != "0") return;
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT,
                       sdk::text(name, " must be unlimited (-1) or greater than or equal to 1"));
  }
}

TopicDefaults read_topic_defaults(const sdk::Options& options) {
  TopicDefaults defaults;
  for (const std::string_view name : topic_options) {
    const std::string_view value = sdk::StringOption(options, name)();
    if (value != declared_default(name)) defaults.options.emplace(name, value);
  }
  check_retention(defaults);
  return defaults;
}

}  // namespace

Settings::Settings(const sdk::Options& options)
    : auto_create_topics(sdk::BoolOption(options, "auto.create.topics.enable")()),
      delete_topics(sdk::BoolOption(options, "delete.topic.enable")()),
      num_partitions(integer<std::int32_t>(options, "num.partitions")),
      replication_factor(integer<std::int16_t>(options, "default.replication.factor")),
      fetch_max_bytes(integer<std::int64_t>(options, "fetch.max.bytes")),
      producer_expiration_ms(integer<std::int64_t>(options, "producer.id.expiration.ms")),
      max_described_partitions(integer<std::int32_t>(options, "max.request.partition.size.limit")),
      rack(sdk::StringOption(options, "broker.rack")()),
      durable(sdk::StringOption(options, "log.storage")() == "disk"),
      log_folder(sdk::StringOption(options, "log.dir")()),
      retention_check_interval_ms(
          integer<std::int64_t>(options, "log.retention.check.interval.ms")),
      topic_defaults(read_topic_defaults(options)) {}

}  // namespace muster::embedded
