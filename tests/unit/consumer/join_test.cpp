// Joining, and who gets what at which epoch.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

class ConsumerGroupJoin : public ::testing::TestWithParam<Door> {
 protected:
  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupJoin);

TEST_P(ConsumerGroupJoin, TheFirstMemberGetsAllPartitionsAtEpochTwo) {
  rig.topic("foo", 2);
  EXPECT_EQ(rig.send(joins("m1", {"foo"})), std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo]", "3 epoch 2"}));
  EXPECT_EQ(rig.finish(), (Answers{ok("m1", 2, "foo:0,1")}));
  EXPECT_EQ(rig.stored(),
            (Lines{"7 m1 [foo:0,1]", "6 epoch 2 at +0", "8 m1 at 2 after 0 stable foo:0@2,1@2"}));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  EXPECT_EQ(rig.state(), "Stable");
  rig.reload();
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 2, std::nullopt));
}

TEST_P(ConsumerGroupJoin, TheRunIsAskedForByInterfaceAndName) {
  rig.topic("foo", 2);
  rig.send(joins("m1", {"foo"}));
  ASSERT_EQ(rig.last.offloads.size(), 1U);
  EXPECT_EQ(rig.last.offloads[0].key, "assign g");
  EXPECT_EQ(rig.last.offloads[0].epoch, 2U);
  EXPECT_EQ(rig.last.offloads[0].kind, "muster.consumer.partition-assignor/1 uniform");
  ASSERT_EQ(rig.last.parks.size(), 1U);
  EXPECT_EQ(rig.last.parks[0].deadline_ms, 250U);
}

TEST_P(ConsumerGroupJoin, TheSecondMemberGetsNothingUntilTheFirstRevokes) {
  rig.topic("foo", 4);
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})), ok("m2", 3, ""));
  EXPECT_EQ(rig.stored(), (Lines{"7 m1 [foo:0,1]", "7 m2 [foo:2,3]", "6 epoch 3 at +1000",
                                 "8 m2 at 3 after 0 unreleased"}));
  EXPECT_EQ(rig.state(), "Reconciling");

  // Without owned partitions the first only learns that it must shrink.
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 2, "foo:0,1"));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 2 after 2 unrevoked foo:0@2,1@2 revoking foo:2@2,3@2"}));
  // It still owns all: nothing moves.
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1,2,3")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 3, std::nullopt));
  // It has let go: it reaches the epoch, and the second gets its share.
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1")), ok("m1", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 3 after 2 stable foo:0@2,1@2"}));
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 3, "foo:2,3"));
  EXPECT_EQ(rig.stored(), (Lines{"8 m2 at 3 after 3 stable foo:2@3,3@3"}));
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(ConsumerGroupJoin, TheThirdMemberJoinsAtEpochFour) {
  rig.topic("foo", 3);
  EXPECT_EQ(rig.beat(joins("m1", {"foo"})).epoch, 2);
  rig.pass(1000);
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})).epoch, 3);
  rig.pass(1000);
  EXPECT_EQ(rig.beat(joins("m3", {"foo"})).epoch, 4);
}

TEST_P(ConsumerGroupJoin, WithinTheAssignmentIntervalTheOldTargetIsKept) {
  rig.topic("foo", 2);
  rig.beat(joins("m1", {"foo"}));
  rig.pass(999);
  EXPECT_EQ(rig.send(joins("m2", {"foo"})), ok("m2", 2, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m2 [foo]", "3 epoch 3", "8 m2 at 2 after 0 stable"}));
  EXPECT_EQ(rig.state(), "Assigning");
  EXPECT_TRUE(rig.runs.empty());

  rig.pass(1);
  EXPECT_EQ(rig.beat(beats("m2", 2)), ok("m2", 3, std::nullopt));
  EXPECT_EQ(rig.state(), "Reconciling");
}

TEST_P(ConsumerGroupJoin, AGroupsOwnIntervalOfZeroAssignsAtOnce) {
  rig.topic("foo", 2);
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})), ok("m2", 3, ""));
  EXPECT_EQ(rig.beat(joins("m9", {"foo"}).in("other")).epoch, 2);
  EXPECT_EQ(rig.send(joins("m8", {"foo"}).in("other")), ok("m8", 2, ""));
}

TEST_P(ConsumerGroupJoin, AnIntervalLongerThanTheBrokersIsTheGroups) {
  rig.topic("foo", 2);
  rig.options.set("consumer.assignment.interval.ms", "15000", "g");
  rig.beat(joins("m1", {"foo"}));
  rig.pass(14'999);
  EXPECT_EQ(rig.send(joins("m2", {"foo"})), ok("m2", 2, ""));
}

TEST_P(ConsumerGroupJoin, AnEmptySubscriptionIsLegal) {
  rig.topic("foo", 2);
  EXPECT_EQ(rig.send(joins("m1", {})), ok("m1", 1, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 []", "8 m1 at 1 after 0 stable"}));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  rig.reload();
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})), ok("m2", 2, "foo:0,1"));
  EXPECT_EQ(rig.beat(beats("m1", 1)), ok("m1", 2, std::nullopt));
}

TEST_P(ConsumerGroupJoin, ATopicThatDoesNotExistGivesNothing) {
  EXPECT_EQ(rig.beat(joins("m1", {"foo"})), ok("m1", 2, ""));
  EXPECT_EQ(rig.stored(), (Lines{"7 m1 []", "6 epoch 2 at +0", "8 m1 at 2 after 0 stable"}));
}

TEST_P(ConsumerGroupJoin, InVersionZeroTheBrokerMakesTheMemberId) {
  rig.topic("foo", 1);
  const Answer answer = rig.beat(joins("", {"foo"}).with_version(0));
  EXPECT_EQ(answer.error, 0);
  ASSERT_TRUE(answer.member);
  EXPECT_EQ(answer.member->size(), 22U);
  EXPECT_NE(answer.member->front(), '-');
  EXPECT_EQ(rig.beat(beats(*answer.member, 2)), ok(*answer.member, 2, std::nullopt));
}

TEST_P(ConsumerGroupJoin, AFullRequestIsAnsweredWithTheAssignment) {
  rig.topic("foo", 2);
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.beat(joins("m1", {"foo"}).at(2).owns("foo:0,1")), ok("m1", 2, "foo:0,1"));
  EXPECT_EQ(rig.stored(), Lines{});
  // One field less is not a full request.
  Beat partial = joins("m1", {"foo"}).at(2);
  partial.owned.reset();
  EXPECT_EQ(rig.beat(partial), ok("m1", 2, std::nullopt));
}

TEST_P(ConsumerGroupJoin, TopicNamesInAnotherOrderAreTheSame) {
  rig.topic("bar", 1);
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo", "bar", "foo"}));
  EXPECT_EQ(rig.beat(joins("m1", {"bar", "foo"}).at(2)), ok("m1", 2, "bar:0 foo:0"));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupJoin, ClientIdAndHostAreKeptUpToDateWithoutABump) {
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.beat(beats("m1", 2).with_client("other", "/10.0.0.1")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo] client=other host=/10.0.0.1"}));
}

TEST_P(ConsumerGroupJoin, ARackChangeAloneRewritesTheMemberWithoutABump) {
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}).with_rack("a"));
  EXPECT_EQ(rig.beat(beats("m1", 2).with_rack("b")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo] rack=b"}));
}

TEST_P(ConsumerGroupJoin, AChangedSubscriptionBumpsTheGroup) {
  rig.topic("bar", 1);
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  Beat more = beats("m1", 2).with_topics({"bar", "foo"});
  EXPECT_EQ(rig.beat(more), ok("m1", 3, "bar:0 foo:0"));
  EXPECT_EQ(rig.all_stored().front(), "3 epoch 3");
}

TEST_P(ConsumerGroupJoin, AFlippedAssignorPreferenceBumpsTheGroup) {
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  EXPECT_EQ(rig.send(beats("m1", 2).with_assignor("range")), std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo] assignor=range", "3 epoch 3"}));
  EXPECT_EQ(rig.last.offloads.at(0).kind, "muster.consumer.partition-assignor/1 range");
  rig.finish();
  // To name what already holds changes nothing.
  EXPECT_EQ(rig.beat(beats("m1", 3).with_assignor("range")), ok("m1", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupJoin, ToNameTheDefaultAssignorIsNoChangeOfPreference) {
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.beat(beats("m1", 2).with_assignor("uniform")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo] assignor=uniform"}));
}

TEST_P(ConsumerGroupJoin, TheAssignorThatMostMembersNameIsTaken) {
  rig.topic("foo", 3);
  rig.beat(joins("m1", {"foo"}).with_assignor("range"));
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}).with_assignor("uniform"));
  rig.pass(1000);
  rig.send(joins("m3", {"foo"}).with_assignor("range"));
  EXPECT_EQ(rig.last.offloads.at(0).kind, "muster.consumer.partition-assignor/1 range");
}

TEST_P(ConsumerGroupJoin, TheHeartbeatIntervalIsTheGroupsOwn) {
  rig.options.set("consumer.heartbeat.interval.ms", "7000", "g");
  EXPECT_EQ(rig.send(joins("m1", {}))->interval_ms, 7000);
  EXPECT_EQ(rig.send(joins("m1", {}).in("h"))->interval_ms, 5000);
}

TEST_P(ConsumerGroupJoin, WhatAHeartbeatLeavesOutStaysAsItWas) {
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"})
               .with_instance("i1")
               .with_rack("r1")
               .with_regex("b.*")
               .with_assignor("uniform")
               .with_timeout(7000));
  rig.match();
  EXPECT_EQ(rig.beat(beats("m1", 2)).error, 0);
  EXPECT_EQ(rig.stored(), Lines{});
  // One field given, all others kept; a rebalance timeout alone is no reason for a new assignment.
  rig.beat(beats("m1", 2).with_timeout(8000));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo] regex=b.* instance=i1 rack=r1 assignor=uniform "
                                 "timeout=8000"}));
}

}  // namespace
}  // namespace muster::consumer
