// Who may go on: groups, members, epochs, size.
#include <gmock/gmock.h>
#include <muster/protocol/errors.hpp>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using ::testing::IsEmpty;

class ConsumerGroupFencing : public ::testing::TestWithParam<Door> {
 protected:
  void expect_refused(const Beat& beat, Error error, const std::string& message) {
    const auto before = rig.all_stored();
    const auto answer = rig.send(beat);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->error, static_cast<std::int16_t>(error)) << *answer;
    EXPECT_EQ(answer->message, message);
    EXPECT_THAT(rig.last.writes, IsEmpty());
    // A refused heartbeat does not renew the session.
    EXPECT_THAT(rig.last.timers, IsEmpty());
    EXPECT_EQ(rig.all_stored(), before);
  }

  ConsumerRig rig{GetParam(), false};
};
BOTH_DOORS(ConsumerGroupFencing);

TEST_P(ConsumerGroupFencing, AMissingGroupIsNotFoundUnlessSomebodyJoins) {
  rig.open();
  expect_refused(beats("m1", 5), Error::group_id_not_found, "Consumer group g not found.");
  expect_refused(leaves("m1"), Error::group_id_not_found, "Group g not found.");
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(ConsumerGroupFencing, AGroupOfAnotherTypeIsNotAConsumerGroup) {
  rig.open();
  Beat join = joins("m1", {"foo"});
  join.owner = "share";
  expect_refused(join, Error::group_id_not_found, "Group g is not a consumer group.");
  Beat leave = leaves("m1");
  leave.owner = "share";
  expect_refused(leave, Error::group_id_not_found, "Group g is not a consumer group.");
}

TEST_P(ConsumerGroupFencing, AnUnknownMemberOfAKnownGroupIsToldSo) {
  rig.open();
  rig.beat(joins("m1", {}));
  expect_refused(beats("m2", 1), Error::unknown_member_id, "Member m2 is not a member of group g.");
  expect_refused(leaves("m2"), Error::unknown_member_id, "Member m2 is not a member of group g.");
}

TEST_P(ConsumerGroupFencing, AGreaterEpochIsFenced) {
  rig.open();
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  expect_refused(beats("m1", 3), Error::fenced_member_epoch,
                 "The consumer group member has a greater member epoch (3) than the one known by "
                 "the group coordinator (2). The member must abandon all its partitions and "
                 "rejoin.");
}

class ConsumerGroupLostAnswer : public ConsumerGroupFencing {
 protected:
  // m1 moved from epoch 2 to 3 with foo:0,1; m2 has foo:2,3.
  void SetUp() override {
    rig.open();
    rig.topic("foo", 4);
    rig.beat(joins("m1", {"foo"}));
    rig.pass(1000);
    rig.beat(joins("m2", {"foo"}));
    rig.beat(beats("m1", 2));
    rig.beat(beats("m1", 2).owns("foo:0,1"));
  }
  const std::string smaller =
      "The consumer group member has a smaller member epoch (2) than the one known by the group "
      "coordinator (3). The member must abandon all its partitions and rejoin.";
};
BOTH_DOORS(ConsumerGroupLostAnswer);

TEST_P(ConsumerGroupLostAnswer, ThePreviousEpochWithASubsetOwnedIsAnswered) {
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:1")), ok("m1", 3, std::nullopt));
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("")), ok("m1", 3, std::nullopt));
}

TEST_P(ConsumerGroupLostAnswer, ThePreviousEpochWithMoreOwnedOrUntoldIsFenced) {
  expect_refused(beats("m1", 2).owns("foo:0,1,2"), Error::fenced_member_epoch, smaller);
  expect_refused(beats("m1", 2), Error::fenced_member_epoch, smaller);
}

TEST_P(ConsumerGroupLostAnswer, AnOlderEpochIsFenced) {
  expect_refused(beats("m1", 1).owns(""), Error::fenced_member_epoch,
                 "The consumer group member has a smaller member epoch (1) than the one known by "
                 "the group coordinator (3). The member must abandon all its partitions and "
                 "rejoin.");
}

TEST_P(ConsumerGroupLostAnswer, AFencedMemberRejoinsWithItsOwnIdAndEpochZero) {
  EXPECT_EQ(rig.beat(joins("m1", {"foo"})), ok("m1", 3, "foo:0,1"));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupLostAnswer, TheGraceIsGoneOnceTheCurrentAssignmentIsRewritten) {
  rig.beat(beats("m2", 3));  // unreleased -> stable, previous epoch = 3
  EXPECT_EQ(rig.stored(), (Lines{"8 m2 at 3 after 3 stable foo:2@3,3@3"}));
  expect_refused(beats("m2", 0).at(2).owns(""), Error::fenced_member_epoch, smaller);
}

TEST_P(ConsumerGroupFencing, AFullGroupTakesNoNewMember) {
  rig.options.set("group.consumer.max.size", "2");
  rig.open();
  rig.beat(joins("m1", {}));
  rig.beat(joins("m2", {}));
  const std::string full = "The consumer group has reached its maximum capacity of 2 members.";
  expect_refused(joins("m3", {}), Error::group_max_size_reached, full);
  expect_refused(beats("m3", 5), Error::group_max_size_reached, full);
  expect_refused(joins("", {}).with_version(0), Error::group_max_size_reached, full);
  EXPECT_EQ(rig.beat(joins("m2", {})).error, 0);
}

TEST_P(ConsumerGroupFencing, AFullGroupTakesAStaticMemberBack) {
  rig.options.set("group.consumer.max.size", "1");
  rig.open();
  rig.beat(joins("m1", {}).with_instance("i1"));
  rig.beat(beats("m1", -2).with_instance("i1"));
  EXPECT_EQ(rig.beat(joins("m2", {}).with_instance("i1")), ok("m2", 1, ""));
  EXPECT_EQ(rig.send(joins("m3", {}).with_instance("i3"))->error,
            static_cast<std::int16_t>(Error::group_max_size_reached));
}

TEST_P(ConsumerGroupFencing, AMemberInAStateOfANewerVersionMustComeWithEmptyHands) {
  rig.open();
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  // Rewrites the state in the stored record to one that does not exist yet.
  for (auto& [key, kept] : rig.shard.stored) {
    if (testing::type_of(key) == 8) kept.second.at(2 + 4 + 4) = 9;
  }
  rig.reload_changed();
  expect_refused(beats("m1", 2), Error::fenced_member_epoch,
                 "The consumer group member is in a unknown state. The member must abandon all "
                 "its partitions and rejoin.");
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 2 after 2 stable foo:0@2"}));
}

}  // namespace
}  // namespace muster::consumer
