// Making topics: what CreateTopics asks for and what a client's metadata request makes by itself,
// judged by Kafka's rules. Works on a change that its caller commits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core.hpp"

namespace muster::embedded {

// One topic as it is asked for; -1 is the broker's default.
struct WantedTopic {
  struct Replicas {
    std::int32_t partition = 0;
    std::vector<std::int32_t> brokers;
  };

  std::string name;
  std::int32_t partition_count = -1;
  std::int16_t replication_factor = -1;
  std::vector<Replicas> assignments;  // manual: then both counts are -1
  ConfigOverrides configs;
  std::vector<std::string> null_configs;
};

struct TopicFault {
  Error error = Error::none;
  std::string message;
};

// The topic that would be made, or why it is not. Does not touch the change.
std::expected<TopicRegistry::NewTopic, TopicFault> judge_topic(
    const Core& core, const TopicRegistry::Change& change, const WantedTopic& wanted);

// A list of brokers that must be exactly this one.
std::optional<std::string> replicas_fault(const Core& core, std::span<const std::int32_t> brokers);

// Most partitions that one request may make.
inline constexpr std::int64_t max_partitions_per_request = 10'000;

}  // namespace muster::embedded
