// DescribeConfigs: entries, sources and synonyms as Kafka gives them.
#include "config_rig.hpp"

#include <gmock/gmock.h>

namespace muster::host::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* session = "consumer.session.timeout.ms";

TEST(DescribeGroupConfigs, AnyIdHasTheDefaultsWithTheBrokersNamesAsSynonyms) {
  ConfigRig rig;
  const auto answer = rig.describe({{group_type, "nobody-knows-me"}});

  EXPECT_EQ(answer->results.at(0).error_code, 0);
  EXPECT_EQ(answer->results[0].error_message, "");
  EXPECT_THAT(entries(answer.message), ElementsAre("consumer.heartbeat.interval.ms=5000 5 "
                                                   "[group.consumer.heartbeat.interval.ms=5000 5]",
                                                   "consumer.session.timeout.ms=45000 5 "
                                                   "[group.consumer.session.timeout.ms=45000 5]",
                                                   "tags=a,b 5 [tags=a,b 5]"));
}

TEST(DescribeGroupConfigs, ValueFromTheFileIsAStaticBrokerConfig) {
  ConfigRig rig({configured("group.consumer.session.timeout.ms", ValueKind::integer, "50000")});
  EXPECT_THAT(entries(rig.describe({{group_type, "g", {}, {{session}}}}).message),
              ElementsAre("consumer.session.timeout.ms=50000 4 "
                          "[group.consumer.session.timeout.ms=50000 4] "
                          "[group.consumer.session.timeout.ms=45000 5]"));
}

TEST(DescribeGroupConfigs, OverrideComesFirst) {
  ConfigRig rig;
  EXPECT_EQ(rig.alter("g", {session, set, "46000"}), "");
  EXPECT_THAT(entries(rig.describe({{group_type, "g", {}, {{session}}}}).message),
              ElementsAre("consumer.session.timeout.ms=46000 8 "
                          "[consumer.session.timeout.ms=46000 8] "
                          "[group.consumer.session.timeout.ms=45000 5]"));
  EXPECT_THAT(entries(rig.describe({{group_type, "h", {}, {{session}}}}).message),
              ElementsAre(HasSubstr("=45000 5")));
}

TEST(DescribeGroupConfigs, OverrideIsShownAsRead) {
  ConfigRig rig;
  EXPECT_EQ(rig.alter("g", {session, set, " 46000 "}), "");
  EXPECT_THAT(entries(rig.describe({{group_type, "g", {}, {{session}}}}).message),
              ElementsAre(HasSubstr("consumer.session.timeout.ms=46000 8 ")));
}

TEST(DescribeGroupConfigs, EntriesAreWritableOfTheirTypeAndDocumented) {
  ConfigRig rig;
  const auto answer = rig.describe({{group_type, "g", {}, {{session}}}});
  const auto& entry = answer->results.at(0).configs.at(0);
  EXPECT_FALSE(entry.read_only);
  EXPECT_FALSE(entry.is_sensitive);
  EXPECT_EQ(entry.config_type, 3);
  EXPECT_EQ(entry.documentation, "A test's option.");
}

TEST(DescribeGroupConfigs, SynonymsAndDocumentationOnlyWhenAskedFor) {
  ConfigRig rig;
  const auto answer = rig.describe({{group_type, "g"}}, false);
  EXPECT_THAT(entries(answer.message), Each(Not(HasSubstr("["))));
  EXPECT_EQ(answer->results.at(0).configs.at(0).documentation, std::nullopt);
}

TEST(DescribeGroupConfigs, InternalOnesAreNotShownEvenIfSet) {
  ConfigRig rig;
  EXPECT_EQ(rig.alter("g", {"consumer.internal", set, "false"}), "");
  EXPECT_FALSE(rig.options().boolean("consumer.internal", "g"));
  EXPECT_THAT(entries(rig.describe({{group_type, "g"}}).message),
              Not(Contains(HasSubstr("internal"))));
}

TEST(DescribeGroupConfigs, NoKeysMeanAllAndUnknownKeysNothing) {
  ConfigRig rig;
  EXPECT_EQ(
      entries(rig.describe({{group_type, "g", {}, {std::vector<std::string>{}}}}).message).size(),
      3u);
  EXPECT_TRUE(entries(rig.describe({{group_type, "g", {}, {{"x"}}}}).message).empty());
}

TEST(DescribeGroupConfigs, EveryVersionAnswers) {
  ConfigRig rig;
  for (std::int16_t version = 1; version <= 4; ++version) {
    const auto answer = rig.describe({{group_type, "g"}}, true, version);
    EXPECT_EQ(answer->results.at(0).configs.size(), 3u) << version;
  }
}

TEST(DescribeBrokerConfigs, HostsOptionsAreReadOnly) {
  ConfigRig rig({configured("group.consumer.session.timeout.ms", ValueKind::integer, "50000")});
  const auto answer = rig.describe({{broker_type, "3"}});

  EXPECT_THAT(
      entries(answer.message),
      AllOf(Contains("group.consumer.heartbeat.interval.ms=5000 5 "
                     "[group.consumer.heartbeat.interval.ms=5000 5]"),
            Contains("group.consumer.session.timeout.ms=50000 4 "
                     "[group.consumer.session.timeout.ms=50000 4] "
                     "[group.consumer.session.timeout.ms=45000 5]"),
            Contains("node.id=0 5 [node.id=0 5]"), Not(Contains(HasSubstr("consumer.internal")))));
  for (const auto& entry : answer->results.at(0).configs) EXPECT_TRUE(entry.read_only);
}

TEST(DescribeBrokerConfigs, EmptyNameHasNoDynamicDefaults) {
  ConfigRig rig;
  const auto answer = rig.describe({{broker_type, ""}});
  EXPECT_EQ(answer->results.at(0).error_code, 0);
  EXPECT_TRUE(answer->results[0].configs.empty());
}

struct Refusal {
  Resource resource;
  std::int16_t error;
  std::string message;
};

class DescribeRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(DescribeRefusals, NameTheReason) {
  ConfigRig rig;
  const auto answer = rig.describe({GetParam().resource});
  EXPECT_EQ(answer->results.at(0).error_code, GetParam().error);
  EXPECT_EQ(answer->results[0].error_message.value_or("-"), GetParam().message);
  EXPECT_EQ(answer->results[0].resource_type, GetParam().resource.type);
  EXPECT_EQ(answer->results[0].resource_name, GetParam().resource.name);
  EXPECT_TRUE(answer->results[0].configs.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Resources, DescribeRefusals,
    ::testing::Values(
        Refusal{{group_type, ""}, 42, "Group name must not be empty"},
        Refusal{{broker_type, "x"}, 42, "Broker id must be an integer, but it is: x"},
        Refusal{{broker_type, "9"},
                42,
                "Unexpected broker id, expected 3 or empty string, but received 9"},
        Refusal{{logger_type, ""}, 42, "Broker id must not be empty"},
        Refusal{{logger_type, "9"}, 42, "Unexpected broker id, expected 3 but received 9"},
        Refusal{{metrics_type, ""}, 42, "Client metrics subscription name must not be empty"},
        Refusal{{topic_type, "t"}, 3, ""},
        Refusal{{5, "x"}, 42, "Unexpected resource type UNKNOWN for resource x"}));

// Observed from Kafka 4.4.0, but for the documentation.
TEST(DescribeClientMetricsConfigs, ASubscriptionThatNobodyMadeHasTheDefaults) {
  ConfigRig rig;
  const auto answer = rig.describe({{metrics_type, "m"}});
  EXPECT_EQ(answer->results.at(0).error_code, 0);
  EXPECT_THAT(entries(answer.message),
              ::testing::ElementsAre("interval.ms=300000 5", "match= 5", "metrics= 5"));
  EXPECT_EQ(answer->results[0].configs.at(0).config_type, 3);
  EXPECT_EQ(answer->results[0].configs.at(1).config_type, 7);
}

TEST(DescribeConfigs, TopicThatExistsIsNotServedHere) {
  ConfigRig rig;
  rig.rig().metadata.put("t");
  const auto answer = rig.describe({{topic_type, "t"}});
  EXPECT_EQ(answer->results.at(0).error_code, 42);
  EXPECT_EQ(answer->results[0].error_message, "Unsupported resource type: TOPIC");
}

TEST(DescribeConfigs, ResourcesAreAnsweredInTheOrderAsked) {
  ConfigRig rig;
  const auto answer = rig.describe({{group_type, "b"}, {broker_type, "3"}, {group_type, "a"}});
  ASSERT_EQ(answer->results.size(), 3u);
  EXPECT_EQ(answer->results[0].resource_name, "b");
  EXPECT_EQ(answer->results[1].resource_type, broker_type);
  EXPECT_EQ(answer->results[2].resource_name, "a");
}

TEST(DescribeConfigs, OneUnknownTypeRefusesAll) {
  ConfigRig rig;
  const auto answer = rig.describe({{group_type, "a"}, {5, "b"}});
  EXPECT_EQ(answer->results.size(), 2u);
}

TEST(DescribeConfigs, DenialIsPerResource) {
  ConfigRig rig;
  rig.rig().host.denied = {{10, 3, "secret"}};
  const auto answer = rig.describe({{group_type, "secret"}, {group_type, "open"}});
  EXPECT_EQ(answer->results.at(0).error_code, 30);
  EXPECT_EQ(answer->results[0].error_message, "Group authorization failed.");
  EXPECT_EQ(answer->results.at(1).error_code, 0);

  rig.rig().host.denied = {{10, 4, "kafka-cluster"}, {10, 2, "t"}};
  EXPECT_EQ(rig.describe({{broker_type, "3"}})->results.at(0).error_code, 31);
  EXPECT_EQ(rig.describe({{topic_type, "t"}})->results.at(0).error_code, 29);
}

}  // namespace
}  // namespace muster::host::testing
