// IncrementalAlterConfigs: Kafka's checks, what is stored, and what takes effect.
#include "config_rig.hpp"

#include "dispatch/configs_records.hpp"

#include <gmock/gmock.h>

namespace muster::host::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr const char* session = "consumer.session.timeout.ms";
constexpr const char* heartbeat = "consumer.heartbeat.interval.ms";

// Kafka's errors.
constexpr std::int16_t unknown_topic = 3;
constexpr std::int16_t invalid_request = 42;

class AlterGroupConfigs : public ::testing::Test {
 protected:
  // The records of altering one group.
  std::vector<muster::testing::Write> records(const Resource& resource,
                                              bool validate_only = false) {
    return rig_.rig().decide(rig_.alter_request({resource}, validate_only)).records();
  }

  ConfigRig rig_;
};

TEST_F(AlterGroupConfigs, SetIsStoredAndTakesEffect) {
  const auto written = records({group_type, "g", {{session, set, "46000"}}});

  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0].key, group_config_key("g"));
  EXPECT_EQ(written[0].value, group_config_value({{session, "46000"}}));
  EXPECT_EQ(rig_.options().int64(session, "g"), 46000);
  EXPECT_EQ(rig_.options().int64(session, "h"), 45000);
}

TEST_F(AlterGroupConfigs, ReloadRestoresWhatWasStoredAndClosingForgetsIt) {
  rig_.alter("g", {session, set, "46000"});
  rig_.rig().reload();
  EXPECT_EQ(rig_.options().int64(session, "g"), 46000);

  rig_.rig().close();
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);
}

TEST_F(AlterGroupConfigs, DeleteFallsBackAndTheLastLeavesATombstone) {
  rig_.alter("g", {session, set, "46000"});
  rig_.alter("g", {heartbeat, set, "6000"});
  const auto one = records({group_type, "g", {{session, remove, std::nullopt}}});
  EXPECT_EQ(one.at(0).value, group_config_value({{heartbeat, "6000"}}));
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);

  const auto last = records({group_type, "g", {{heartbeat, remove, std::nullopt}}});
  EXPECT_EQ(last.at(0).value, std::nullopt);
  EXPECT_TRUE(rig_.options().group_overrides("g").empty());
}

TEST_F(AlterGroupConfigs, SameValueAgainAndDeletingNothingStoreNothing) {
  rig_.alter("g", {session, set, "46000"});
  EXPECT_TRUE(records({group_type, "g", {{session, set, "46000"}}}).empty());
  EXPECT_TRUE(records({group_type, "g", {{heartbeat, remove, std::nullopt}}}).empty());
  EXPECT_EQ(rig_.alter("g", {"no.such.name", remove, std::nullopt}), "");
}

TEST_F(AlterGroupConfigs, ValidateOnlyAnswersTheSameAndStoresNothing) {
  EXPECT_TRUE(records({group_type, "g", {{session, set, "46000"}}}, true).empty());
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);
  EXPECT_EQ(
      rig_.alter({{group_type, "g", {{session, set, "1"}}}}, true)->responses.at(0).error_code, 40);
}

TEST_F(AlterGroupConfigs, InvalidConfigsAreRefusedInKafkasWords) {
  EXPECT_EQ(rig_.alter("g", {"consumer.session.timeout", set, "46000"}),
            "40 Unknown group config name: consumer.session.timeout");
  EXPECT_EQ(rig_.alter("g", {session, set, "soon"}),
            "40 Invalid value soon for configuration consumer.session.timeout.ms: Not a number of "
            "type INT");
  EXPECT_EQ(rig_.alter("g", {session, set, "1000"}),
            "40 consumer.session.timeout.ms must be in the range 45000 to 60000 inclusive.");
  EXPECT_EQ(rig_.alter("g", {heartbeat, set, "45000"}),
            "40 consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms");
  EXPECT_TRUE(rig_.options().group_overrides("g").empty());
}

TEST_F(AlterGroupConfigs, OneBadConfigRefusesTheWholeResource) {
  const auto answer = rig_.alter({{group_type, "g", {{session, set, "46000"}, {"x", set, "1"}}}});
  EXPECT_EQ(answer->responses.at(0).error_code, 40);
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);
}

TEST_F(AlterGroupConfigs, ListsAreEditedFromTheDefaultOrTheirValue) {
  EXPECT_EQ(rig_.alter("g", {"tags", append, "c,a"}), "");
  EXPECT_THAT(rig_.options().group_overrides("g"), ElementsAre(Pair("tags", "a,b,c")));
  EXPECT_EQ(rig_.alter("g", {"tags", subtract, "b,x"}), "");
  EXPECT_THAT(rig_.options().list("tags", "g"), ElementsAre("a", "c"));
  EXPECT_THAT(rig_.options().list("tags", "h"), ElementsAre("a", "b"));
}

TEST_F(AlterGroupConfigs, OnlyListsCanBeEdited) {
  EXPECT_EQ(rig_.alter("g", {session, append, "1"}),
            "40 Can't APPEND to key consumer.session.timeout.ms because its type is not LIST.");
  EXPECT_EQ(rig_.alter("g", {"x", subtract, "1"}),
            "40 Can't SUBTRACT to key x because its type is not LIST.");
}

TEST_F(AlterGroupConfigs, RequestsThatAreMalformedAreInvalid) {
  EXPECT_EQ(rig_.alter("", {session, set, "46000"}), "42 Default group resources are not allowed.");
  EXPECT_EQ(rig_.alter("g", {session, set, std::nullopt}),
            "42 Null value not supported for : consumer.session.timeout.ms");
  EXPECT_EQ(rig_.alter("g", {session, 7, "46000"}), "-1 -");
  const auto twice =
      rig_.alter({{group_type, "g", {{session, set, "46000"}, {session, set, "47000"}}}});
  EXPECT_EQ(twice->responses.at(0).error_message, "Error due to duplicate config keys");
}

TEST_F(AlterGroupConfigs, ResourceNamedTwiceIsRefusedTwiceAndOthersGoOn) {
  const auto answer = rig_.alter({{group_type, "g", {{session, set, "46000"}}},
                                  {group_type, "h", {{session, set, "46000"}}},
                                  {group_type, "g", {{session, set, "47000"}}}});

  ASSERT_EQ(answer->responses.size(), 3u);
  EXPECT_EQ(answer->responses[0].error_code, invalid_request);
  EXPECT_EQ(answer->responses[0].error_message, "Each resource must appear at most once.");
  EXPECT_EQ(answer->responses[1].error_code, 0);
  EXPECT_EQ(answer->responses[1].error_message, std::nullopt);
  EXPECT_EQ(answer->responses[2].error_code, invalid_request);
  EXPECT_EQ(rig_.options().int64(session, "h"), 46000);
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);
}

TEST_F(AlterGroupConfigs, AlterConfigsForgetsWhatItDoesNotName) {
  rig_.alter("g", {session, set, "46000"});
  const auto answer = rig_.replace({{group_type, "g", {{heartbeat, set, "6000"}}}});
  EXPECT_EQ(answer->responses.at(0).error_code, 0);
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);
  EXPECT_EQ(rig_.options().int64(heartbeat, "g"), 6000);
}

// Observed from Kafka 4.4.0.
TEST_F(AlterGroupConfigs, AlterConfigsRefusesInKafkasWords) {
  const auto refused = [&](const Resource& resource) {
    const auto answer = rig_.replace({resource});
    return std::to_string(answer->responses.at(0).error_code) + " " +
           std::string(answer->responses[0].error_message.value_or("-"));
  };
  EXPECT_EQ(refused({group_type, ""}), "42 Default group resources are not allowed.");
  EXPECT_EQ(refused({group_type, "g", {{session, set, std::nullopt}}}),
            "42 Null value not supported for : consumer.session.timeout.ms");
  EXPECT_EQ(refused({logger_type, "3", {{"root", set, "INFO"}}}), "42 Unknown resource type 8");
  EXPECT_EQ(refused({99, "x"}), "42 Unknown resource type 99");
  EXPECT_EQ(refused({broker_type, "", {{"node.id", set, "7"}}}),
            "42 Cannot update these configs dynamically: [node.id]");
}

TEST_F(AlterGroupConfigs, DenialStoresNothing) {
  rig_.rig().host.denied = {{11, 3, "g"}};
  EXPECT_EQ(rig_.alter("g", {session, set, "46000"}), "30 Group authorization failed.");
  EXPECT_EQ(rig_.options().int64(session, "g"), 45000);
}

struct Refusal {
  Resource resource;
  std::int16_t error;
  std::string message;
};

class AlterRefusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(AlterRefusals, NameTheReason) {
  ConfigRig rig;
  rig.rig().metadata.put("there");
  const auto answer = rig.alter({GetParam().resource});
  EXPECT_EQ(answer->responses.at(0).error_code, GetParam().error);
  EXPECT_EQ(answer->responses[0].error_message.value_or("-"), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Resources, AlterRefusals,
    ::testing::Values(
        Refusal{{broker_type, "3", {{"node.id", set, "1"}}},
                invalid_request,
                "Cannot update these configs dynamically: [node.id]"},
        Refusal{{broker_type, "3", {{"node.id", 7, "1"}}},
                invalid_request,
                "Unknown operations type 7"},
        Refusal{{broker_type, "3", {{"node.id", remove, std::nullopt}}}, 0, "-"},
        Refusal{{broker_type, "x"}, invalid_request, "Node id must be an integer, but it is: x"},
        Refusal{{broker_type, "9"},
                invalid_request,
                "Unexpected broker id, expected 3, but received 9"},
        Refusal{{logger_type, "3", {{"kafka", set, "DEBUG"}}}, 40, "Logger kafka does not exist!"},
        Refusal{{metrics_type, ""}, invalid_request, "Subscription name can't be empty"},
        Refusal{{metrics_type, "m"}, invalid_request, "Unsupported resource type: CLIENT_METRICS"},
        Refusal{{topic_type, ""}, invalid_request, "Default topic resources are not allowed."},
        Refusal{{topic_type, "t"}, unknown_topic, "The topic 't' does not exist."},
        Refusal{{topic_type, "there"}, invalid_request, "Unsupported resource type: TOPIC"},
        Refusal{{5, "x"}, invalid_request, "Unknown resource type 5"}));

}  // namespace
}  // namespace muster::host::testing
