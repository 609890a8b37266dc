// Heartbeats that are refused before any group is looked at.
#include <gmock/gmock.h>
#include <muster/protocol/errors.hpp>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using ::testing::IsEmpty;

class ConsumerGroupValidation : public ::testing::TestWithParam<Door> {
 protected:
  // Refused, and no trace left.
  void expect_refused(const Beat& beat, Error error, std::optional<std::string> message) {
    const auto answer = rig.send(beat);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->error, static_cast<std::int16_t>(error)) << *answer;
    EXPECT_EQ(answer->message, message);
    EXPECT_EQ(answer->member, std::nullopt);
    EXPECT_EQ(answer->epoch, 0);
    EXPECT_EQ(answer->interval_ms, 0);
    EXPECT_EQ(answer->assignment, std::nullopt);
    EXPECT_THAT(rig.last.writes, IsEmpty());
    EXPECT_THAT(rig.last.timers, IsEmpty());
    EXPECT_THAT(rig.last.offloads, IsEmpty());
  }
  void expect_invalid(const Beat& beat, const std::string& message) {
    expect_refused(beat, Error::invalid_request, message);
    EXPECT_EQ(rig.owner_of(beat.group), "");
  }

  ConsumerRig rig{GetParam(), false};
  const Beat join = joins("m1", {"foo"});
};
BOTH_DOORS(ConsumerGroupValidation);

TEST_P(ConsumerGroupValidation, AMemberIdIsNeededFromVersionOneOn) {
  rig.open();
  expect_invalid(join.by(""), "MemberId can't be empty.");
  expect_invalid(join.by("  \t"), "MemberId can't be empty.");
}

TEST_P(ConsumerGroupValidation, InVersionZeroAMemberIdIsNeededOnceJoined) {
  rig.open();
  expect_invalid(beats("", 1).with_version(0), "MemberId can't be empty.");
  expect_invalid(leaves("").with_version(0), "MemberId can't be empty.");
  EXPECT_EQ(rig.send(joins("", {}).with_version(0))->error, 0);
}

TEST_P(ConsumerGroupValidation, AnEmptyGroupIdIsInvalid) {
  rig.open();
  expect_invalid(join.in(""), "GroupId can't be empty.");
}

TEST_P(ConsumerGroupValidation, AnEmptyInstanceOrRackIdIsInvalidButNullIsFine) {
  rig.open();
  expect_invalid(join.with_instance(""), "InstanceId can't be empty.");
  expect_invalid(join.with_rack(" "), "RackId can't be empty.");
  EXPECT_EQ(rig.send(joins("m1", {}))->error, 0);
}

TEST_P(ConsumerGroupValidation, AJoinNeedsARebalanceTimeout) {
  rig.open();
  expect_invalid(join.with_timeout(-1), "RebalanceTimeoutMs must be provided in first request.");
}

TEST_P(ConsumerGroupValidation, AJoinOwnsNothingAndSaysSo) {
  rig.open();
  Beat silent = join;
  silent.owned.reset();
  expect_invalid(silent, "TopicPartitions must be empty when (re-)joining.");
  rig.topic("foo", 1);
  expect_invalid(join.owns("foo:0"), "TopicPartitions must be empty when (re-)joining.");
}

TEST_P(ConsumerGroupValidation, AJoinNeedsASubscription) {
  rig.open();
  Beat none = join;
  none.topics.reset();
  expect_invalid(none,
                 "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when "
                 "(re-)joining.");
}

TEST_P(ConsumerGroupValidation, AStaticLeaveNeedsAnInstance) {
  rig.open();
  expect_invalid(beats("m1", -2), "InstanceId can't be null.");
}

TEST_P(ConsumerGroupValidation, AnEpochBelowMinusTwoIsInvalid) {
  rig.open();
  expect_invalid(beats("m1", -3), "MemberEpoch is invalid.");
}

TEST_P(ConsumerGroupValidation, AnUnknownAssignorIsUnsupported) {
  rig.open();
  expect_refused(join.with_assignor("fancy"), Error::unsupported_assignor,
                 "ServerAssignor fancy is not supported. Supported assignors: uniform, range.");
}

TEST_P(ConsumerGroupValidation, KafkasClassNamesStandForTheShortOnes) {
  rig.options.set("group.consumer.assignors",
                  "org.apache.kafka.coordinator.group.assignor.RangeAssignor,"
                  "org.apache.kafka.coordinator.group.assignor.UniformAssignor,acme/spread");
  rig.open();
  rig.topic("foo", 1);
  EXPECT_EQ(rig.beat(joins("m1", {"foo"})).error, 0);
  EXPECT_EQ(rig.beat(joins("m2", {}).with_assignor("uniform")).error, 0);
  rig.pass(2000);
  rig.send(joins("m3", {"foo"}).with_assignor("spread").in("h"));
  EXPECT_EQ(rig.last.offloads.at(0).kind, "muster.consumer.partition-assignor/1 acme/spread");
  expect_refused(join.with_assignor("fancy"), Error::unsupported_assignor,
                 "ServerAssignor fancy is not supported. Supported assignors: range, uniform, "
                 "spread.");
}

TEST_P(ConsumerGroupValidation, AtFeatureLevelZeroTheVersionIsUnsupported) {
  rig.options.set("group.version", "0");
  rig.open();
  expect_refused(join.in(""), Error::unsupported_version, std::nullopt);
}

TEST_P(ConsumerGroupValidation, WithoutTheProtocolTheVersionIsUnsupported) {
  rig.options.set("group.coordinator.rebalance.protocols", "classic,streams");
  rig.open();
  expect_refused(join, Error::unsupported_version, std::nullopt);
}

TEST_P(ConsumerGroupValidation, ProtocolNamesAreReadWithoutCase) {
  rig.options.set("group.coordinator.rebalance.protocols", "classic,CONSUMER");
  rig.open();
  EXPECT_EQ(rig.send(joins("m1", {}))->error, 0);
}

TEST_P(ConsumerGroupValidation, WithoutReadOnTheGroupNothingIsTold) {
  rig.open();
  rig.deny(3, 3, "g");
  expect_refused(join, Error::group_authorization_failed, std::nullopt);
  expect_refused(join.with_timeout(-1), Error::group_authorization_failed, std::nullopt);
  EXPECT_EQ(rig.send(joins("m1", {}).in("h"))->error, 0);
}

TEST_P(ConsumerGroupValidation, ASubscribedNameWithoutDescribeIsRefused) {
  rig.open();
  rig.deny(8, 2, "bar");
  expect_refused(joins("m1", {"foo", "bar"}), Error::topic_authorization_failed, std::nullopt);
  EXPECT_EQ(rig.beat(join).error, 0);
}

TEST_P(ConsumerGroupValidation, OptionsThatContradictEachOtherRefuseToStart) {
  rig.options.set("group.consumer.session.timeout.ms", "70000");
  EXPECT_THROW(
      {
        try {
          rig.open();
        } catch (const std::logic_error& error) {
          EXPECT_STREQ(error.what(),
                       "create failed: group.consumer.session.timeout.ms must be less than or "
                       "equal to group.consumer.max.session.timeout.ms");
          throw;
        }
      },
      std::logic_error);
}

}  // namespace
}  // namespace muster::consumer
