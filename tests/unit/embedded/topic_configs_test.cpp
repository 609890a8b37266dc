// DescribeConfigs, AlterConfigs and IncrementalAlterConfigs of topics. What is expected of answers
// was observed from Kafka 4.4.0.
#include <gmock/gmock.h>

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_response.hpp>

#include <algorithm>

#include "kit.hpp"
#include "topics/topic_config.hpp"

namespace muster::embedded::test {
namespace {

using protocol::AlterConfigsRequest;
using protocol::AlterConfigsResponse;
using protocol::DescribeConfigsRequest;
using protocol::DescribeConfigsResponse;
using protocol::IncrementalAlterConfigsRequest;
using protocol::IncrementalAlterConfigsResponse;
using ::testing::ElementsAre;

constexpr std::int8_t topic_type = 2;
enum Operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

struct Change {
  std::string name;
  std::int8_t operation = set;
  std::optional<std::string> value = std::nullopt;
};

class TopicConfigs : public ::testing::Test {
 protected:
  explicit TopicConfigs(std::initializer_list<BrokerRig::Options::value_type> options = {})
      : rig(options) {
    create(rig, "t", 2, {{"retention.ms", "1000000"}});
  }

  Decoded<DescribeConfigsResponse> describe(
      std::string_view topic, std::optional<std::vector<std::string_view>> keys = std::nullopt) {
    DescribeConfigsRequest request;
    request.include_synonyms = true;
    request.include_documentation = true;
    request.resources.push_back({topic_type, topic, std::move(keys)});
    return rig.ask<DescribeConfigsResponse>(request, 4);
  }

  // "value source [synonym=value source]..."
  std::string shown(std::string_view config) {
    const auto response = describe("t", std::vector<std::string_view>{config});
    const auto& configs = response->results.at(0).configs;
    if (configs.size() != 1) return "not one config";
    std::string text(configs[0].value.value_or("null"));
    text += " " + std::to_string(configs[0].config_source);
    for (const auto& synonym : configs[0].synonyms) {
      text += " " + std::string(synonym.name) + "=" + std::string(synonym.value.value_or("null")) +
              " " + std::to_string(synonym.source);
    }
    return text;
  }

  // "" or the error's number and message.
  std::string alter(std::string_view topic, const std::vector<Change>& changes,
                    bool validate_only = false) {
    IncrementalAlterConfigsRequest request;
    request.validate_only = validate_only;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = topic_type;
    resource.resource_name = topic;
    for (const Change& change : changes) {
      auto& config = resource.configs.emplace_back();
      config.name = change.name;
      config.config_operation = change.operation;
      config.value = std::nullopt;
      if (change.value) config.value = *change.value;
    }
    return verdict(rig.ask<IncrementalAlterConfigsResponse>(request, 1)->responses.at(0));
  }

  std::string replace(std::string_view topic, const Configs& configs) {
    AlterConfigsRequest request;
    auto& resource = request.resources.emplace_back();
    resource.resource_type = topic_type;
    resource.resource_name = topic;
    for (const auto& [name, value] : configs) resource.configs.push_back({name, value});
    return verdict(rig.ask<AlterConfigsResponse>(request, 2)->responses.at(0));
  }

  template <class Answer>
  static std::string verdict(const Answer& answer) {
    if (answer.error_code == 0) return std::string(answer.error_message.value_or(""));
    return std::to_string(answer.error_code) + " " +
           std::string(answer.error_message.value_or("-"));
  }

  BrokerRig rig;
};

TEST_F(TopicConfigs, EveryConfigIsDescribedWithTypeAndDocumentation) {
  const auto response = describe("t");
  const auto& result = response->results.at(0);
  EXPECT_EQ(result.error_code, 0);
  EXPECT_EQ(result.error_message, "");
  EXPECT_EQ(result.configs.size(), 37U);
  EXPECT_TRUE(
      std::ranges::is_sorted(result.configs, {}, &decltype(result.configs)::value_type::name));
  for (const auto& config : result.configs) {
    EXPECT_FALSE(config.read_only) << config.name;
    EXPECT_FALSE(config.is_sensitive) << config.name;
    EXPECT_NE(config.config_type, 0) << config.name;
    EXPECT_FALSE(config.documentation.value_or("").empty()) << config.name;
  }
}

TEST_F(TopicConfigs, TypesAreKafkas) {
  const auto type = [&](std::string_view config) {
    return describe("t", std::vector<std::string_view>{config})
        ->results.at(0)
        .configs.at(0)
        .config_type;
  };
  EXPECT_EQ(type("preallocate"), 1);
  EXPECT_EQ(type("compression.type"), 2);
  EXPECT_EQ(type("segment.bytes"), 3);
  EXPECT_EQ(type("retention.ms"), 5);
  EXPECT_EQ(type("min.cleanable.dirty.ratio"), 6);
  EXPECT_EQ(type("cleanup.policy"), 7);
  EXPECT_EQ(type("leader.replication.throttled.replicas"), 7);
}

TEST_F(TopicConfigs, SynonymsNameTheBrokersOption) {
  EXPECT_EQ(shown("retention.ms"), "1000000 1 retention.ms=1000000 1");
  EXPECT_EQ(shown("max.message.bytes"), "1048588 5 message.max.bytes=1048588 5");
  EXPECT_EQ(shown("segment.ms"), "604800000 5");
  EXPECT_EQ(shown("remote.storage.enable"), "false 5");
}

TEST_F(TopicConfigs, KeysThatAreNoConfigsAreLeftOut) {
  const auto response = describe("t", std::vector<std::string_view>{"bogus", "retention.ms"});
  ASSERT_EQ(response->results.at(0).configs.size(), 1U);
  EXPECT_EQ(response->results[0].configs[0].name, "retention.ms");
  EXPECT_EQ(describe("t", std::vector<std::string_view>{})->results.at(0).configs.size(), 37U);
}

TEST_F(TopicConfigs, OldVersionsHaveNoDocumentation) {
  DescribeConfigsRequest request;
  request.resources.push_back({topic_type, "t", std::nullopt});
  for (std::int16_t version = 1; version <= 4; ++version) {
    const auto response = rig.ask<DescribeConfigsResponse>(request, version);
    EXPECT_EQ(response->results.at(0).configs.size(), 37U) << version;
    EXPECT_TRUE(response->results[0].configs[0].synonyms.empty());
    EXPECT_FALSE(version == 4 && response->results[0].configs[0].documentation);
  }
}

TEST_F(TopicConfigs, TopicsThatAreNotThereAreNotDescribed) {
  EXPECT_EQ(verdict(describe("nope")->results.at(0)), "3 ");
  EXPECT_EQ(verdict(describe("")->results.at(0)),
            "17 Topic name is invalid: the empty string is not allowed");
  EXPECT_EQ(verdict(describe("a/b")->results.at(0)),
            "17 Topic name is invalid: 'a/b' contains one or more characters other than ASCII "
            "alphanumerics, '.', '_' and '-'");
}

TEST_F(TopicConfigs, SetTakesEffectAtOnceAndIsNotAnnounced) {
  rig.watch();
  const auto before = rig.changes().size();

  EXPECT_EQ(alter("t", {{"max.message.bytes", set, "10"}}), "");

  EXPECT_EQ(shown("max.message.bytes"), "10 1 max.message.bytes=10 1 message.max.bytes=1048588 5");
  EXPECT_EQ(shown("retention.ms"), "1000000 1 retention.ms=1000000 1");
  EXPECT_EQ(produce(rig, "t", batch()).error_code, code(Error::message_too_large));
  EXPECT_EQ(rig.changes().size(), before);
}

TEST_F(TopicConfigs, ChangesKeepWhatWasProduced) {
  produce(rig, "t", batch(3));
  EXPECT_EQ(alter("t", {{"message.timestamp.type", set, "LogAppendTime"}}), "");
  EXPECT_EQ(produce(rig, "t", batch()).base_offset, 3);
  EXPECT_EQ(list_offset(rig, "t", -1).offset, 4);
}

TEST_F(TopicConfigs, DeleteFallsBackToTheDefault) {
  EXPECT_EQ(alter("t", {{"retention.ms", remove}, {"bogus", remove}}), "");
  EXPECT_EQ(shown("retention.ms"), "604800000 5");
}

TEST_F(TopicConfigs, ListsAreAppendedToAndSubtractedFrom) {
  EXPECT_EQ(alter("t", {{"cleanup.policy", append, "compact,delete,compact"}}), "");
  EXPECT_EQ(shown("cleanup.policy"),
            "delete,compact 1 cleanup.policy=delete,compact 1 log.cleanup.policy=delete 5");
  EXPECT_EQ(alter("t", {{"cleanup.policy", subtract, "compact, nothing"}}), "");
  EXPECT_EQ(shown("cleanup.policy"),
            "delete 1 cleanup.policy=delete 1 log.cleanup.policy=delete 5");
}

TEST_F(TopicConfigs, ValuesAreShownAsTheyAreUnderstood) {
  EXPECT_EQ(alter("t", {{"retention.ms", set, " 5 "},
                        {"preallocate", set, " TRUE"},
                        {"cleanup.policy", set, "delete, delete"}}),
            "");
  EXPECT_EQ(shown("retention.ms"), "5 1 retention.ms=5 1");
  EXPECT_EQ(shown("preallocate"), "true 1 preallocate=true 1 log.preallocate=false 5");
  EXPECT_EQ(shown("cleanup.policy"),
            "delete 1 cleanup.policy=delete 1 log.cleanup.policy=delete 5");
}

TEST_F(TopicConfigs, ValidatingChangesNothing) {
  EXPECT_EQ(alter("t", {{"retention.ms", set, "5"}}, true), "");
  EXPECT_EQ(shown("retention.ms"), "1000000 1 retention.ms=1000000 1");
}

TEST_F(TopicConfigs, RefusedChangesNameTheReason) {
  const auto refused = [&](const Change& change) { return alter("t", {change}, false); };
  EXPECT_EQ(refused({"bogus", set, "1"}), "40 Unknown topic config name: bogus");
  EXPECT_EQ(refused({"retention.ms", set, "x"}),
            "40 Invalid value x for configuration retention.ms: Not a number of type LONG");
  EXPECT_EQ(refused({"segment.bytes", set, "14"}),
            "40 Invalid value 14 for configuration segment.bytes: Value must be at least 1048576");
  EXPECT_EQ(refused({"retention.ms", append, "1"}),
            "40 Can't APPEND to key retention.ms because its type is not LIST.");
  EXPECT_EQ(refused({"bogus", subtract, "1"}),
            "40 Can't SUBTRACT to key bogus because its type is not LIST.");
  EXPECT_EQ(refused({"cleanup.policy", append, "bogus"}),
            "40 Invalid value bogus for configuration cleanup.policy: String must be one of: "
            "compact, delete");
  EXPECT_EQ(refused({"retention.ms", set}), "42 Null value not supported for : retention.ms");
  EXPECT_EQ(refused({"remote.storage.enable", set, "true"}),
            "40 Tiered Storage functionality is disabled in the broker. Topic cannot be configured "
            "with remote log storage.");
  EXPECT_EQ(alter("t", {{"retention.ms", set, "1"}, {"retention.ms", set, "1"}}),
            "42 Error due to duplicate config keys");
  EXPECT_EQ(
      alter("t", {{"min.compaction.lag.ms", set, "100"}, {"max.compaction.lag.ms", set, "10"}}),
      "40 conflict topic config setting min.compaction.lag.ms (100) > max.compaction.lag.ms "
      "(10)");
}

TEST_F(TopicConfigs, TopicsThatCannotBeAlteredNameTheReasonInKafkasOrder) {
  EXPECT_EQ(alter("nope", {{"retention.ms", set, "1"}}), "3 The topic 'nope' does not exist.");
  EXPECT_EQ(alter("nope", {{"bogus", set, "1"}}), "40 Unknown topic config name: bogus");
  EXPECT_EQ(alter("", {{"bogus", set, "1"}}), "42 Default topic resources are not allowed.");
  EXPECT_THAT(alter("a/b", {{"bogus", set, "1"}}),
              ::testing::StartsWith("17 Topic name is invalid: 'a/b' contains"));
}

TEST_F(TopicConfigs, AResourceAppearsOnce) {
  IncrementalAlterConfigsRequest request;
  request.resources = {{topic_type, "t", {}}, {topic_type, "t", {}}};
  const auto response = rig.ask<IncrementalAlterConfigsResponse>(request, 1);
  ASSERT_EQ(response->responses.size(), 2U);
  for (const auto& answer : response->responses) {
    EXPECT_EQ(verdict(answer), "42 Each resource must appear at most once.");
  }
}

TEST_F(TopicConfigs, AlterConfigsForgetsWhatItDoesNotName) {
  EXPECT_EQ(replace("t", {{"cleanup.policy", "compact"}}), "");
  EXPECT_EQ(shown("retention.ms"), "604800000 5");
  EXPECT_EQ(shown("cleanup.policy"),
            "compact 1 cleanup.policy=compact 1 log.cleanup.policy=delete 5");
  EXPECT_EQ(replace("t", {{"bogus", "1"}}), "40 Unknown topic config name: bogus");
  EXPECT_EQ(replace("nope", {}), "3 The topic 'nope' does not exist.");
}

TEST_F(TopicConfigs, DescribingAndAlteringMayBeDenied) {
  rig.host.denials = {{10, 2, "t"}, {11, 2, "*"}};
  EXPECT_EQ(verdict(describe("t")->results.at(0)), "29 Topic authorization failed.");
  EXPECT_EQ(alter("t", {{"retention.ms", set, "5"}}), "29 Topic authorization failed.");
  EXPECT_EQ(alter("nope", {{"retention.ms", set, "5"}}), "29 Topic authorization failed.");
}

TEST_F(TopicConfigs, AnUnknownOperationFailsAllThatCouldBeAltered) {
  create(rig, "u", 1);
  IncrementalAlterConfigsRequest request;
  request.resources = {{topic_type, "t", {{"retention.ms", 7, "1"}}},
                       {topic_type, "u", {{"retention.ms", set, "1"}}},
                       {topic_type, "v", {{"retention.ms", set, std::nullopt}}}};
  const auto response = rig.ask<IncrementalAlterConfigsResponse>(request, 1);
  ASSERT_EQ(response->responses.size(), 3U);
  EXPECT_EQ(verdict(response->responses[0]), "-1 -");
  EXPECT_EQ(verdict(response->responses[1]), "-1 -");
  EXPECT_EQ(verdict(response->responses[2]), "42 Null value not supported for : retention.ms");
  EXPECT_EQ(shown("retention.ms"), "1000000 1 retention.ms=1000000 1");
  EXPECT_EQ(alter("nope", {{"retention.ms", -1, "1"}}), "-1 -");
}

class TopicConfigsOfASetBroker : public TopicConfigs {
 protected:
  TopicConfigsOfASetBroker()
      : TopicConfigs({{"message.max.bytes", "5000"},
                      {"log.cleanup.policy", "compact"},
                      {"log.retention.bytes", "77"},
                      {"log.retention.minutes", "3"},
                      {"log.retention.ms", "500000"}}) {}
};

TEST_F(TopicConfigsOfASetBroker, WhatTheBrokerSetsIsShownAsTheBrokers) {
  EXPECT_EQ(shown("max.message.bytes"),
            "5000 4 message.max.bytes=5000 4 message.max.bytes=1048588 5");
  EXPECT_EQ(shown("cleanup.policy"),
            "compact 4 log.cleanup.policy=compact 4 log.cleanup.policy=delete 5");
  EXPECT_EQ(shown("retention.bytes"),
            "77 4 log.retention.bytes=77 4 log.retention.bytes=-1 5");
}

TEST_F(TopicConfigsOfASetBroker, EveryUnitOfRetentionIsASynonymOfItsOwnText) {
  EXPECT_EQ(shown("retention.ms"),
            "1000000 1 retention.ms=1000000 1 log.retention.ms=500000 4 log.retention.minutes=3 4 "
            "log.retention.hours=168 5");
  EXPECT_EQ(alter("t", {{"retention.ms", remove}}), "");
  EXPECT_EQ(shown("retention.ms"),
            "500000 4 log.retention.ms=500000 4 log.retention.minutes=3 4 "
            "log.retention.hours=168 5");
}

TEST_F(TopicConfigsOfASetBroker, ListsAreEditedFromKafkasDefaultAllTheSame) {
  EXPECT_EQ(alter("t", {{"cleanup.policy", append, "delete"}}), "");
  EXPECT_EQ(shown("cleanup.policy"),
            "delete 1 cleanup.policy=delete 1 log.cleanup.policy=compact 4 "
            "log.cleanup.policy=delete 5");
}

class TopicConfigsByTheMinute : public TopicConfigs {
 protected:
  TopicConfigsByTheMinute() : TopicConfigs({{"log.retention.minutes", "3"}}) {}
};

// As in Kafka, which shows no synonym before that of the config's own unit.
TEST_F(TopicConfigsByTheMinute, RetentionCountsAndItsSourceIsNotShown) {
  EXPECT_EQ(alter("t", {{"retention.ms", remove}}), "");
  EXPECT_EQ(shown("retention.ms"), "180000 5");
}

TEST(TopicConfigDefaults, OfTheUnitsOfRetentionTheFinestThatIsSetCounts) {
  const auto retention_ms = [](const TopicDefaults& defaults) {
    return TopicConfig::make({}, defaults)->retention_ms;
  };
  EXPECT_EQ(retention_ms({}), 604'800'000);
  EXPECT_EQ(retention_ms({{{"log.retention.hours", "1"}}}), 3'600'000);
  EXPECT_EQ(retention_ms({{{"log.retention.hours", "1"}, {"log.retention.minutes", "2"}}}),
            120'000);
  EXPECT_EQ(retention_ms({{{"log.retention.minutes", "2"}, {"log.retention.ms", "5"}}}), 5);
  EXPECT_EQ(retention_ms({{{"log.retention.minutes", "-1"}}}), -1);
  EXPECT_EQ(retention_ms({{{"log.retention.hours", "2147483647"}}}), 7'730'941'129'200'000);
}

TEST(TopicConfigDefaults, ZeroIsNoTimeToKeepRecords) {
  EXPECT_ANY_THROW(BrokerRig({{"log.retention.ms", "0"}}));
  EXPECT_ANY_THROW(BrokerRig({{"log.retention.hours", "0"}}));
  EXPECT_NO_THROW(BrokerRig({{"log.retention.hours", "0"}, {"log.retention.ms", "-1"}}));
}

TEST(TopicConfigDefaults, OptionsOfTheBrokerHoldForTopicsThatDoNotSayOtherwise) {
  const TopicDefaults defaults{{{"log.cleanup.policy", "compact"},
                                {"log.segment.bytes", "2000000"},
                                {"max.decompressed.message.bytes", "99"},
                                {"log.retention.bytes", "5"}}};
  const auto config = TopicConfig::make({{"retention.bytes", "6"}}, defaults);
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->compacted);
  EXPECT_FALSE(config->cut_by_retention);
  EXPECT_EQ(config->segment_bytes, 2'000'000);
  EXPECT_EQ(config->max_decompressed_message_bytes, 99);
  EXPECT_EQ(config->retention_bytes, 6);
}

TEST(TopicConfigWords, OtherResourcesAreTheHosts) {
  BrokerRig rig;
  DescribeConfigsRequest describe;
  describe.resources.push_back({4, "3", std::nullopt});
  EXPECT_EQ(rig.ask<DescribeConfigsResponse>(describe, 4)->results.at(0).error_code, 42);
  IncrementalAlterConfigsRequest alter;
  alter.resources.push_back({4, "3", {}});
  EXPECT_EQ(rig.ask<IncrementalAlterConfigsResponse>(alter, 1)->responses.at(0).error_code, 42);
}

}  // namespace
}  // namespace muster::embedded::test
