// The broker's options: declared under Kafka's names, read once when the broker is made.
#pragma once

#include <cstdint>
#include <string>

#include <muster/sdk/options.hpp>

#include "topics/topic_config.hpp"

namespace muster::embedded {

inline constexpr muster_option declared_options[] = {
    sdk::bool_option("auto.create.topics.enable").by_default("true")
        .doc("Metadata requests that allow it create the topics they name"),
    sdk::bool_option("delete.topic.enable").by_default("true").doc("Topics may be deleted"),
    sdk::int_option("num.partitions").by_default("1").range("1", "2147483647")
        .doc("Partitions of a topic that does not say how many"),
    sdk::int_option("default.replication.factor").by_default("1").range("1", "32767")
        .doc("Replicas of a topic that does not say how many; this broker holds one"),
    sdk::int_option("message.max.bytes").by_default("1048588").range("0", "2147483647")
        .doc("Largest record batch; topics override it as max.message.bytes"),
    sdk::int_option("fetch.max.bytes").by_default("57671680").range("1024", "2147483647")
        .doc("Most bytes in one answer to a fetch"),
    sdk::string_option("log.message.timestamp.type").by_default("CreateTime")
        .one_of("CreateTime,LogAppendTime").doc("Whose clock records carry"),
    sdk::long_option("log.message.timestamp.before.max.ms").by_default("9223372036854775807")
        .range("0", nullptr).doc("How far a record's timestamp may lie in the past"),
    sdk::long_option("log.message.timestamp.after.max.ms").by_default("3600000")
        .range("0", nullptr).doc("How far a record's timestamp may lie in the future"),
    sdk::int_option("producer.id.expiration.ms").by_default("86400000").range("1", "2147483647")
        .doc("How long an idempotent producer's sequence is remembered after its last write"),
    sdk::string_option("log.storage").by_default("disk").one_of("disk,memory")
        .doc("disk: topics and records are kept in log.dir; memory: they end with the process"),
    sdk::string_option("log.dir")
        .doc("The folder of topics and records; empty: 'log' in the plugin's own folder in "
             "host.data_dir"),
    sdk::long_option("log.flush.interval.messages").by_default("9223372036854775807")
        .range("1", nullptr)
        .doc("Records of a partition after which they are forced to the disk; without that they "
             "survive the end of the process, but not of the machine"),
    sdk::list_option("log.cleanup.policy").by_default("delete").one_of("compact,delete")
        .doc("What happens to old records; topics override it as cleanup.policy"),
    sdk::int_option("log.segment.bytes").by_default("1073741824").range("1048576", "2147483647")
        .doc("Most bytes of a segment, and so of a batch; topics override it as segment.bytes"),
    sdk::int_option("max.decompressed.message.bytes").by_default("2147483639")
        .range("1", "2147483639").doc("Largest record once it is unpacked; topics override it"),
    sdk::long_option("log.retention.ms").range("-1", nullptr)
        .doc("How long records are kept, -1: for ever; topics override it as retention.ms"),
    sdk::int_option("log.retention.minutes").range("-1", "2147483647")
        .doc("How long in minutes, where log.retention.ms is not set"),
    sdk::int_option("log.retention.hours").by_default("168").range("-1", "2147483647")
        .doc("How long in hours, where neither log.retention.ms nor log.retention.minutes is set"),
    sdk::long_option("log.retention.bytes").by_default("-1")
        .doc("Most bytes of a partition before the oldest records are deleted, -1: any size; "
             "topics override it as retention.bytes"),
    sdk::long_option("log.retention.check.interval.ms").by_default("300000").range("1", nullptr)
        .doc("How often logs are cut by retention.ms and retention.bytes of their topics"),
    sdk::int_option("max.request.partition.size.limit").by_default("2000")
        .range("1", "2147483647").doc("Most partitions in one answer of DescribeTopicPartitions"),
    sdk::string_option("broker.rack").doc("The rack this broker says it is in"),
};

struct Settings {
  explicit Settings(const sdk::Options& options);

  bool auto_create_topics;
  bool delete_topics;
  std::int32_t num_partitions;
  std::int16_t replication_factor;
  std::int64_t fetch_max_bytes;
  std::int64_t producer_expiration_ms;
  std::int32_t max_described_partitions;
  std::string rack;  // empty: none
  bool durable;
  std::string log_folder;  // empty: the host's
  std::int64_t retention_check_interval_ms;
  TopicDefaults topic_defaults;
};

}  // namespace muster::embedded
