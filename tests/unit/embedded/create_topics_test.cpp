#include <gtest/gtest.h>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::CreateTopicsRequest;
using protocol::CreateTopicsResponse;
using Topic = CreateTopicsRequest::CreatableTopic;

Topic topic(std::string_view name, std::int32_t partitions = 1, std::int16_t replicas = 1) {
  Topic out;
  out.name = name;
  out.num_partitions = partitions;
  out.replication_factor = replicas;
  return out;
}

Topic with_config(std::string_view key, std::optional<std::string_view> value) {
  Topic out = topic("t");
  auto& config = out.configs.emplace_back();
  config.name = key;
  config.value = value;
  return out;
}

Decoded<CreateTopicsResponse> ask(BrokerRig& rig, std::vector<Topic> topics,
                                  std::int16_t version = 7, bool validate_only = false) {
  CreateTopicsRequest request;
  request.topics = std::move(topics);
  request.validate_only = validate_only;
  return rig.ask<CreateTopicsResponse>(request, version);
}

TEST(CreateTopics, EveryVersionMakesATopic) {
  BrokerRig rig;
  for (std::int16_t version = 2; version <= 7; ++version) {
    const std::string name = "t" + std::to_string(version);
    const auto response = ask(rig, {topic(name, 3)}, version);
    const auto& made = response->topics.at(0);
    EXPECT_EQ(made.error_code, 0) << version;
    EXPECT_EQ(made.name, name);
    EXPECT_FALSE(made.error_message);
    EXPECT_EQ(made.topic_id.is_zero(), version < 7);
    EXPECT_EQ(made.num_partitions, version < 5 ? -1 : 3);
    EXPECT_EQ(made.replication_factor, version < 5 ? -1 : 1);
    EXPECT_EQ(made.configs->size(), version < 5 ? 0U : 37U);
  }
}

TEST(CreateTopics, ShowsEveryConfigWithItsSource) {
  BrokerRig rig({{"message.max.bytes", "5000"}});
  const auto response = ask(rig, {with_config("retention.ms", "1000")});
  std::map<std::string_view, CreateTopicsResponse::CreatableTopicConfigs> configs;
  for (const auto& config : *response->topics.at(0).configs) configs[config.name] = config;
  EXPECT_EQ(configs.at("retention.ms").value, "1000");
  EXPECT_EQ(configs.at("retention.ms").config_source, 1);
  EXPECT_EQ(configs.at("max.message.bytes").value, "5000");
  EXPECT_EQ(configs.at("max.message.bytes").config_source, 4);
  EXPECT_EQ(configs.at("cleanup.policy").value, "delete");
  EXPECT_EQ(configs.at("cleanup.policy").config_source, 5);
  EXPECT_FALSE(configs.at("cleanup.policy").read_only);
  EXPECT_FALSE(configs.contains("internal.segment.bytes"));
}

TEST(CreateTopics, MinusOneIsTheBrokersDefault) {
  BrokerRig rig({{"num.partitions", "6"}});
  const auto response = ask(rig, {topic("t", -1, -1)});
  EXPECT_EQ(response->topics.at(0).num_partitions, 6);
  EXPECT_EQ(response->topics.at(0).replication_factor, 1);
}

struct Refused {
  Topic topic;
  Error error;
  std::string message;
};

std::vector<Refused> refused_counts_and_names() {
  return {
      {topic("t", 0), Error::invalid_partitions,
       "Number of partitions was set to an invalid non-positive value."},
      {topic("t", -2), Error::invalid_partitions,
       "Number of partitions was set to an invalid non-positive value."},
      {topic("t", 1, 0), Error::invalid_replication_factor,
       "Replication factor must be larger than 0, or -1 to use the default value."},
      {topic("t", 1, 2), Error::invalid_replication_factor,
       "Unable to replicate the partition 2 time(s): The target replication factor of 2 cannot be "
       "reached because only 1 broker(s) are registered or some brokers have all their log "
       "directories cordoned."},
      {topic("old"), Error::topic_already_exists, "Topic 'old' already exists."},
      {topic("a_b"), Error::invalid_topic_exception,
       "Topic 'a_b' collides with existing topic: a.b"},
      {topic(""), Error::invalid_topic_exception,
       "Topic name is invalid: the empty string is not allowed"},
      {topic("."), Error::invalid_topic_exception, "Topic name is invalid: '.' is not allowed"},
      {topic(".."), Error::invalid_topic_exception, "Topic name is invalid: '..' is not allowed"},
      {topic("bad name"), Error::invalid_topic_exception,
       "Topic name is invalid: 'bad name' contains one or more characters other than ASCII "
       "alphanumerics, '.', '_' and '-'"},
      {topic("__cluster_metadata"), Error::invalid_request,
       "Creation of internal topic __cluster_metadata is prohibited."},
      {topic("t", 10'001), Error::policy_violation,
       "Excessively large number of partitions per request."},
  };
}

std::vector<Refused> refused_configs() {
  const auto invalid = [](std::string_view key, std::string_view value, std::string_view why) {
    std::string message = "Invalid value ";
    message.append(value).append(" for configuration ").append(key).append(": ").append(why);
    return Refused{with_config(key, value), Error::invalid_config, message};
  };
  return {
      {with_config("foo", "1"), Error::invalid_config, "Unknown topic config name: foo"},
      {with_config("retention.ms", std::nullopt), Error::invalid_config,
       "Null value not supported for topic configs: retention.ms"},
      invalid("retention.ms", "-5", "Value must be at least -1"),
      invalid("retention.ms", "abc", "Not a number of type LONG"),
      invalid("segment.bytes", "99999999999", "Not a number of type INT"),
      invalid("segment.bytes", "10", "Value must be at least 1048576"),
      invalid("compression.zstd.level", "50", "Value must be no more than 22"),
      invalid("compression.gzip.level", "0", "Value must be between 1 and 9 or equal to -1"),
      invalid("cleanup.policy", "foo", "String must be one of: compact, delete"),
      {with_config("cleanup.policy", "delete,"), Error::invalid_config,
       "Configuration 'cleanup.policy' values must not be empty."},
      invalid("message.timestamp.type", "foo", "String must be one of: CreateTime, LogAppendTime"),
      invalid("preallocate", "maybe", "Expected value to be either true or false"),
      invalid("min.cleanable.dirty.ratio", "x", "Not a number of type DOUBLE"),
      invalid("min.cleanable.dirty.ratio", "2", "Value must be no more than 1"),
  };
}

TEST(CreateTopics, WhatCannotBeMadeIsRefusedInKafkasWords) {
  BrokerRig rig;
  create(rig, "old");
  create(rig, "a.b");
  std::vector<Refused> all = refused_counts_and_names();
  for (Refused& more : refused_configs()) all.push_back(std::move(more));
  for (const Refused& refused : all) {
    const auto response = ask(rig, {refused.topic});
    const auto& answer = response->topics.at(0);
    EXPECT_EQ(answer.error_code, code(refused.error)) << refused.message;
    EXPECT_EQ(answer.error_message, refused.message);
    EXPECT_TRUE(answer.topic_id.is_zero());
    EXPECT_EQ(answer.num_partitions, -1);
  }
  EXPECT_EQ(ask(rig, {topic("t")})->topics.at(0).error_code, 0);
}

TEST(CreateTopics, ATooLongNameIsRefusedAndTheLongestLegalOneIsNot) {
  BrokerRig rig;
  const std::string longest(249, 'x');
  const std::string longer(250, 'x');
  EXPECT_EQ(ask(rig, {topic(longest)})->topics.at(0).error_code, 0);
  EXPECT_EQ(ask(rig, {topic(longer)})->topics.at(0).error_code,
            code(Error::invalid_topic_exception));
}

TEST(CreateTopics, ConfigsThatContradictEachOtherAreRefused) {
  BrokerRig rig;
  Topic asked = with_config("min.compaction.lag.ms", "5");
  auto& most = asked.configs.emplace_back();
  most.name = "max.compaction.lag.ms";
  most.value = "4";
  EXPECT_EQ(ask(rig, {asked})->topics.at(0).error_message,
            "conflict topic config setting min.compaction.lag.ms (5) > max.compaction.lag.ms (4)");
  EXPECT_EQ(ask(rig, {with_config("remote.storage.enable", "true")})->topics.at(0).error_code,
            code(Error::invalid_config));
}

TEST(CreateTopics, GoodTopicsOfARequestAreMadeBesideBadOnes) {
  BrokerRig rig;
  const auto response = ask(rig, {topic("a"), topic("bad name"), topic("b")});
  EXPECT_EQ(response->topics.at(0).error_code, 0);
  EXPECT_EQ(response->topics.at(1).error_code, code(Error::invalid_topic_exception));
  EXPECT_EQ(response->topics.at(2).error_code, 0);
  EXPECT_EQ(produce(rig, "b", batch()).error_code, 0);
}

TEST(CreateTopics, ANameAskedForTwiceIsInvalidAndAnsweredOnce) {
  BrokerRig rig;
  const auto response = ask(rig, {topic("a"), topic("a"), topic("b")});
  ASSERT_EQ(response->topics.size(), 2U);
  EXPECT_EQ(response->topics[0].error_code, code(Error::invalid_request));
  EXPECT_EQ(response->topics[0].error_message, "Duplicate topic name.");
  EXPECT_EQ(response->topics[1].error_code, 0);
}

TEST(CreateTopics, ValidateOnlyAnswersAndMakesNothing) {
  BrokerRig rig;
  EXPECT_EQ(ask(rig, {topic("t", 2)}, 7, true)->topics.at(0).num_partitions, 2);
  EXPECT_EQ(ask(rig, {topic("t", 2)})->topics.at(0).error_code, 0);
}

Topic assigned(std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> assignments) {
  Topic out = topic("t", -1, -1);
  for (auto& [partition, brokers] : assignments) {
    auto& assignment = out.assignments.emplace_back();
    assignment.partition_index = partition;
    assignment.broker_ids = std::move(brokers);
  }
  return out;
}

TEST(CreateTopics, ManualAssignmentsMustNameThisBroker) {
  BrokerRig rig;
  const auto error_of = [&](const Topic& asked) {
    return ask(rig, {asked}, 7, true)->topics.at(0).error_code;
  };
  const std::int32_t self = RigHost::node_id;
  EXPECT_EQ(error_of(assigned({{1, {self}}, {0, {self}}})), 0);
  EXPECT_EQ(error_of(assigned({{0, {self + 1}}})), code(Error::invalid_replica_assignment));
  EXPECT_EQ(error_of(assigned({{0, {self, self}}})), code(Error::invalid_replica_assignment));
  EXPECT_EQ(error_of(assigned({{0, {}}})), code(Error::invalid_replica_assignment));
  EXPECT_EQ(error_of(assigned({{1, {self}}})), code(Error::invalid_replica_assignment));
  EXPECT_EQ(error_of(assigned({{0, {self}}, {0, {self}}})),
            code(Error::invalid_replica_assignment));
  Topic counted = assigned({{0, {self}}});
  counted.num_partitions = 1;
  EXPECT_EQ(error_of(counted), code(Error::invalid_request));
}

TEST(CreateTopics, ADefaultThatCannotBeReachedIsRefused) {
  BrokerRig rig({{"default.replication.factor", "3"}});
  EXPECT_EQ(ask(rig, {topic("t", 1, -1)})->topics.at(0).error_code,
            code(Error::invalid_replication_factor));
}

}  // namespace
}  // namespace muster::embedded::test
