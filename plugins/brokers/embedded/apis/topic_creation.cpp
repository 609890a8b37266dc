// See topic_creation.hpp. Sentences are Kafka's, since tools show and tests compare them.
#include "apis/topic_creation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <muster/sdk/text.hpp>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

std::optional<TopicFault> name_fault(const TopicRegistry::Change& change,
                                     const std::string& name) {
  if (change.before().by_name(name) != nullptr) {
    return TopicFault{Error::topic_already_exists,
                      sdk::text("Topic '", name, "' already exists.")};
  }
  if (auto alike = change.collision(name)) {
    return TopicFault{Error::invalid_topic_exception,
                      sdk::text("Topic '", name, "' collides with existing topic: ", *alike)};
  }
  if (auto wrong = topic_name_fault(name)) {
    return TopicFault{Error::invalid_topic_exception, *std::move(wrong)};
  }
  return std::nullopt;
}

std::optional<TopicFault> null_config_fault(const WantedTopic& wanted) {
  if (wanted.null_configs.empty()) return std::nullopt;
  std::string names;
  for (const std::string& name : wanted.null_configs) {
    if (!names.empty()) names += ',';
    names += name;
  }
  return TopicFault{Error::invalid_config,
                    sdk::text("Null value not supported for topic configs: ", names)};
}

std::optional<TopicFault> assignment_fault(const Core& core, const WantedTopic& wanted) {
  if (wanted.replication_factor != -1) {
    return TopicFault{Error::invalid_request,
                      "A manual partition assignment was specified, but replication factor was "
                      "not set to -1."};
  }
  if (wanted.partition_count != -1) {
    return TopicFault{Error::invalid_request,
                      "A manual partition assignment was specified, but numPartitions was not set "
                      "to -1."};
  }
  std::set<std::int32_t> partitions;
  for (const WantedTopic::Replicas& replicas : wanted.assignments) {
    if (!partitions.insert(replicas.partition).second) {
      return TopicFault{Error::invalid_replica_assignment,
                        sdk::text("Found multiple manual partition assignments for partition ",
                                  replicas.partition)};
    }
    if (auto wrong = replicas_fault(core, replicas.brokers)) {
      return TopicFault{Error::invalid_replica_assignment, *std::move(wrong)};
    }
  }
  const auto last = static_cast<std::int32_t>(partitions.size()) - 1;
  if (*partitions.begin() != 0 || *partitions.rbegin() != last) {
    return TopicFault{Error::invalid_replica_assignment,
                      "partitions should be a consecutive 0-based integer sequence"};
  }
  return std::nullopt;
}

std::optional<TopicFault> count_fault(std::int32_t partition_count, std::int16_t replicas) {
  if (replicas < -1 || replicas == 0) {
    return TopicFault{Error::invalid_replication_factor,
                      "Replication factor must be larger than 0, or -1 to use the default value."};
  }
  if (partition_count < -1 || partition_count == 0) {
    return TopicFault{Error::invalid_partitions,
                      "Number of partitions was set to an invalid non-positive value."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> replicas_fault(const Core& core,
                                          std::span<const std::int32_t> brokers) {
  if (brokers.empty()) {
    return "The manual partition assignment includes an empty replica list.";
  }
  std::vector<std::int32_t> sorted(brokers.begin(), brokers.end());
  std::ranges::sort(sorted);
  const std::int32_t self = core.host.node_id();
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != self) {
      return sdk::text("The manual partition assignment includes broker ", sorted[i],
                       ", but no such broker is registered.");
    }
    if (i > 0) {
      return sdk::text("The manual partition assignment includes the broker ", sorted[i],
                       " more than once.");
    }
  }
  return std::nullopt;
}

std::expected<TopicRegistry::NewTopic, TopicFault> judge_topic(
    const Core& core, const TopicRegistry::Change& change, const WantedTopic& wanted) {
  if (auto fault = name_fault(change, wanted.name)) return std::unexpected(*std::move(fault));
  if (auto fault = null_config_fault(wanted)) return std::unexpected(*std::move(fault));
  auto config = TopicConfig::make(wanted.configs, core.topics.defaults());
  if (!config) {
    return std::unexpected(TopicFault{Error::invalid_config, std::move(config.error())});
  }
  std::int32_t count = wanted.partition_count;
  if (!wanted.assignments.empty()) {
    if (auto fault = assignment_fault(core, wanted)) return std::unexpected(*std::move(fault));
    count = static_cast<std::int32_t>(wanted.assignments.size());
  } else {
    if (auto fault = count_fault(count, wanted.replication_factor)) {
      return std::unexpected(*std::move(fault));
    }
    const std::int16_t replicas = wanted.replication_factor == -1
                                      ? core.settings.replication_factor
                                      : wanted.replication_factor;
    if (replicas > 1) {
      return std::unexpected(TopicFault{
          Error::invalid_replication_factor,
          sdk::text("Unable to replicate the partition ", replicas,
                    " time(s): The target replication factor of ", replicas,
                    " cannot be reached because only 1 broker(s) are registered or some brokers "
                    "have all their log directories cordoned.")});
    }
    if (count == -1) count = core.settings.num_partitions;
  }
  return TopicRegistry::NewTopic{wanted.name, random_uuid(core.host), count, *std::move(config)};
}

}  // namespace muster::embedded
