// See settings.hpp.
#include "settings.hpp"

namespace muster::embedded {
namespace {

template <class Integer>
Integer integer(const sdk::Options& options, std::string_view name) {
  return static_cast<Integer>(sdk::Int64Option(options, name)());
}

TopicDefaults read_topic_defaults(const sdk::Options& options) {
  return {
      .max_message_bytes = integer<std::int64_t>(options, "message.max.bytes"),
      .timestamp_type = std::string(sdk::StringOption(options, "log.message.timestamp.type")()),
      .timestamp_before_max_ms =
          integer<std::int64_t>(options, "log.message.timestamp.before.max.ms"),
      .timestamp_after_max_ms =
          integer<std::int64_t>(options, "log.message.timestamp.after.max.ms"),
      .flush_messages = integer<std::int64_t>(options, "log.flush.interval.messages"),
  };
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
      durable(sdk::StringOption(options, "log.storage")() == "rocksdb"),
      log_folder(sdk::StringOption(options, "log.dir")()),
      retention_check_interval_ms(
          integer<std::int64_t>(options, "log.retention.check.interval.ms")),
      topic_defaults(read_topic_defaults(options)) {}

}  // namespace muster::embedded
