// Members with an instance id: leaving for a while, coming back, being replaced.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;

class ConsumerGroupStaticMembers : public ::testing::TestWithParam<Door> {
 protected:
  void SetUp() override {
    rig.topic("foo", 2);
    rig.beat(joins("m1", {"foo"}).with_instance("i1"));
  }
  Beat departs(const std::string& member) { return beats(member, -2).with_instance("i1"); }

  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupStaticMembers);

TEST_P(ConsumerGroupStaticMembers, LeavingForAWhileKeepsThePartitionsWithoutABump) {
  const Answer answer = rig.beat(departs("m1"));
  EXPECT_EQ(answer.error, 0);
  EXPECT_EQ(answer.member, "m1");
  EXPECT_EQ(answer.epoch, -2);
  EXPECT_EQ(answer.interval_ms, 0);
  EXPECT_EQ(answer.assignment, std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at -2 after 0 stable foo:0@0,1@0"}));
  // The session goes on: neither renewed nor cancelled.
  EXPECT_THAT(rig.last.timers, IsEmpty());
}

TEST_P(ConsumerGroupStaticMembers, AReplacementGetsTheSamePartitionsAndEpochWithoutABump) {
  rig.beat(departs("m1"));
  EXPECT_EQ(rig.beat(joins("m2", {"foo"}).with_instance("i1")), ok("m2", 2, "foo:0,1"));
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "5 m2 [foo] instance=i1",
                                 "7 m2 [foo:0,1]", "8 m2 at 0 after 0 stable foo:0@0,1@0",
                                 "8 m2 at 2 after 0 stable foo:0@0,1@0"}));
  EXPECT_EQ(rig.timers.count("session 1 g m1"), 0U);
  EXPECT_EQ(rig.timers.count("session 1 g m2"), 1U);
  EXPECT_EQ(rig.state(), "Stable");
  rig.reload();
  EXPECT_EQ(rig.beat(beats("m2", 2).with_instance("i1")), ok("m2", 2, std::nullopt));
}

TEST_P(ConsumerGroupStaticMembers, ItsPartitionsStayReservedWhileItIsAway) {
  rig.beat(departs("m1"));
  rig.pass(1000);
  EXPECT_EQ(rig.beat(joins("m3", {"foo"})), ok("m3", 3, ""));
  EXPECT_EQ(rig.beat(beats("m3", 3)), ok("m3", 3, std::nullopt));
  EXPECT_EQ(rig.beat(joins("m2", {"foo"}).with_instance("i1")), ok("m2", 3, "foo:0"));
  EXPECT_EQ(rig.beat(beats("m3", 3)), ok("m3", 3, "foo:1"));
}

TEST_P(ConsumerGroupStaticMembers, TheSameMemberIdMayComeBackToo) {
  rig.beat(departs("m1"));
  EXPECT_EQ(rig.beat(joins("m1", {"foo"}).with_instance("i1")), ok("m1", 2, "foo:0,1"));
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "5 m1 [foo] instance=i1",
                                 "7 m1 [foo:0,1]", "8 m1 at 0 after 0 stable foo:0@0,1@0",
                                 "8 m1 at 2 after 0 stable foo:0@0,1@0"}));
  EXPECT_EQ(rig.timers.count("session 1 g m1"), 1U);
  rig.reload();
}

TEST_P(ConsumerGroupStaticMembers, AReplacementWithAnotherSubscriptionBumps) {
  rig.topic("bar", 1);
  rig.beat(departs("m1"));
  rig.pass(1000);
  EXPECT_EQ(rig.send(joins("m2", {"bar"}).with_instance("i1")), std::nullopt);
  EXPECT_EQ(rig.stored(),
            (Lines{"-8 m1", "-7 m1", "-5 m1", "5 m2 [foo] instance=i1", "7 m2 [foo:0,1]",
                   "8 m2 at 0 after 0 stable foo:0@0,1@0", "5 m2 [bar] instance=i1", "3 epoch 3"}));
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 3, "bar:0")}));
}

TEST_P(ConsumerGroupStaticMembers, NobodyBackInTimeMeansRemoved) {
  rig.beat(departs("m1"));
  rig.pass(45'000);
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 3", "6 epoch 3 at 0"}));
  EXPECT_EQ(rig.state(), "Empty");
}

TEST_P(ConsumerGroupStaticMembers, AnInstanceInUseIsNotReleased) {
  const auto other = rig.send(joins("m2", {"foo"}).with_instance("i1"));
  EXPECT_EQ(other->error, 111);
  EXPECT_EQ(other->message,
            "Static member m2 with instance id i1 cannot join the group because "
            "the instance id is owned by m1 member.");
  EXPECT_THAT(rig.last.writes, IsEmpty());
  // Not even for the member that holds it.
  EXPECT_EQ(rig.send(joins("m1", {"foo"}).with_instance("i1"))->error, 111);
}

TEST_P(ConsumerGroupStaticMembers, TheReplacedMemberIsFenced) {
  rig.beat(departs("m1"));
  rig.beat(joins("m2", {"foo"}).with_instance("i1"));
  const auto answer = rig.send(beats("m1", 2).with_instance("i1"));
  EXPECT_EQ(answer->error, 82);
  EXPECT_EQ(answer->message, "Static member m1 with instance id i1 was fenced by member m2.");
  EXPECT_EQ(rig.send(leaves("m1").with_instance("i1"))->error, 82);
  EXPECT_EQ(rig.send(departs("m1"))->error, 82);
  EXPECT_EQ(rig.send(beats("m1", 2))->error, 25);
}

TEST_P(ConsumerGroupStaticMembers, AnUnknownInstanceIsAnUnknownMember) {
  const auto answer = rig.send(beats("m9", 2).with_instance("i9"));
  EXPECT_EQ(answer->error, 25);
  EXPECT_EQ(answer->message, "Instance id i9 is unknown.");
  EXPECT_EQ(rig.send(leaves("m9").with_instance("i9"))->error, 25);
}

TEST_P(ConsumerGroupStaticMembers, WithoutItsInstanceIdItIsTreatedAsDynamicAndWorks) {
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupStaticMembers, LeavingForGoodRemovesAndBumps) {
  const Answer answer = rig.beat(leaves("m1").with_instance("i1"));
  EXPECT_EQ(answer.member, "m1");
  EXPECT_EQ(answer.epoch, -1);
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 3", "6 epoch 3 at 0"}));
  EXPECT_EQ(rig.send(joins("m2", {"foo"}).with_instance("i1")), std::nullopt);
}

TEST_P(ConsumerGroupStaticMembers, PendingRevocationsAreDroppedOnLeavingForAWhile) {
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.beat(beats("m1", 2));
  rig.beat(departs("m1"));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at -2 after 2 unrevoked foo:0@0"}));
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 3, "foo:1"));
  // The rebalance timer of what it was asked to revoke does not remove it.
  rig.pass(5000);
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.beat(joins("m3", {"foo"}).with_instance("i1")), ok("m3", 3, "foo:0"));
}

TEST_P(ConsumerGroupStaticMembers, WhoComesBackIsNotRemovedForWhatItHadToRevokeBefore) {
  rig.topic("bar", 1);
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.beat(beats("m1", 2));
  rig.beat(departs("m1"));
  rig.pass(4900);
  ASSERT_EQ(rig.send(joins("m1", {"bar"}).with_instance("i1")), std::nullopt);
  rig.pass(200);
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.finish().at(0).error, 0);
}

}  // namespace
}  // namespace muster::consumer
