// A member on its way from what it holds to what it is meant to hold.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

// Gives foo's partitions as told: one digit a partition, the member's index; '-' nobody.
Assign as_told(std::string digits) {
  return [digits](const muster_partition_assignor_view&) {
    std::vector<std::uint32_t> owner;
    for (const char digit : digits) {
      owner.push_back(digit == '-' ? MUSTER_NONE : static_cast<std::uint32_t>(digit - '0'));
    }
    return owner;
  };
}

class ConsumerGroupReconciliation : public ::testing::TestWithParam<Door> {
 protected:
  // m1 holds foo:0,1,2,3 at epoch 2; m2 has joined at epoch 3 and waits for foo:2,3.
  void SetUp() override {
    rig.topic("foo", 4);
    rig.beat(joins("m1", {"foo"}));
    rig.pass(1000);
    rig.beat(joins("m2", {"foo"}));
  }
  void unrevoke() { rig.beat(beats("m1", 2)); }
  // A new target, as if a member had changed its mind about the assignor.
  void retarget(const std::string& digits) {
    rig.pass(1000);
    const std::string other = flipped ? "uniform" : "range";
    flipped = !flipped;
    rig.send(beats("m2", 3).with_assignor(other));
    rig.finish(as_told(digits));
  }

  ConsumerRig rig{GetParam()};
  bool flipped = false;
};
BOTH_DOORS(ConsumerGroupReconciliation);

TEST_P(ConsumerGroupReconciliation, RejoinWhileUnrevokedIsAcceptedAndWaitsForNothing) {
  unrevoke();
  EXPECT_EQ(rig.beat(joins("m1", {"foo"})), ok("m1", 3, "foo:0,1"));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 3 after 2 stable foo:0@2,1@2"}));
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 3, "foo:2,3"));
}

TEST_P(ConsumerGroupReconciliation, RejoinWhileUnreleasedIsAccepted) {
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})), ok("m2", 3, ""));
  unrevoke();
  rig.beat(beats("m1", 2).owns("foo:0,1"));
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})), ok("m2", 3, "foo:2,3"));
}

TEST_P(ConsumerGroupReconciliation, RejoinWhileStableReturnsTheFullAssignment) {
  rig.beat(joins("m3", {"foo"}).in("h"));
  EXPECT_EQ(rig.beat(joins("m3", {"foo"}).in("h")), ok("m3", 2, "foo:0,1,2,3"));
}

TEST_P(ConsumerGroupReconciliation, RevokedAndGivenBackBeforeTheAckIsRegainedDirectly) {
  unrevoke();
  retarget("0001");  // m1 is to have foo:2 again
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1,3")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1")), ok("m1", 4, "foo:0,1,2"));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 4 after 2 stable foo:0@2,1@2,2@4"}));
}

TEST_P(ConsumerGroupReconciliation, UnsubscribedWhileUnrevokedJoinsTheRevokeSet) {
  rig.topic("bar", 1);
  unrevoke();
  EXPECT_EQ(rig.send(beats("m1", 2).with_topics({"bar"}).owns("foo:0,1,2,3")), ok("m1", 2, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [bar]", "3 epoch 4",
                                 "8 m1 at 2 after 2 unrevoked revoking foo:0@2,1@2,2@2,3@2"}));
}

TEST_P(ConsumerGroupReconciliation, UnsubscribedAtTheTargetEpochIsRevokedBeforeAnyNewTarget) {
  rig.topic("bar", 1);
  rig.beat(joins("m9", {"bar", "foo"}).in("h"));
  EXPECT_EQ(rig.send(beats("m9", 2).with_topics({"bar"}).in("h")), ok("m9", 2, "bar:0"));
  EXPECT_EQ(rig.stored(),
            (Lines{"5 m9 [bar]", "3 epoch 3",
                   "8 m9 at 2 after 2 unrevoked bar:0@2 revoking foo:0@2,1@2,2@2,3@2"}));
}

TEST_P(ConsumerGroupReconciliation, UnsubscribedAndNotOwnedShrinksWithoutRevoking) {
  rig.topic("bar", 1);
  rig.beat(joins("m9", {"bar", "foo"}).in("h"));
  EXPECT_EQ(rig.send(beats("m9", 2).with_topics({"bar"}).owns("bar:0").in("h")),
            ok("m9", 2, "bar:0"));
  EXPECT_EQ(rig.stored(), (Lines{"5 m9 [bar]", "3 epoch 3", "8 m9 at 2 after 2 stable bar:0@2"}));
}

TEST_P(ConsumerGroupReconciliation, WhatItAlreadyLetGoNeedsNoRevocation) {
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1")), ok("m1", 3, "foo:0,1"));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 3 after 2 stable foo:0@2,1@2"}));
}

TEST_P(ConsumerGroupReconciliation, WaitingForOthersRewritesTheRecordOnlyOnce) {
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"8 m2 at 3 after 3 unreleased"}));
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupReconciliation, WhatIsFreeIsTakenWhileOtherPartitionsAreHeld) {
  rig.topic("foo", 5);
  rig.pass(1000);
  rig.send(beats("m2", 3));
  rig.finish(as_told("00111"));
  EXPECT_EQ(rig.stored(), (Lines{"7 m2 [foo:2,3,4]", "6 epoch 4 at +2000",
                                 "8 m2 at 4 after 3 unreleased foo:4@4"}));
}

TEST_P(ConsumerGroupReconciliation, ATargetThatMovesOnWhileUnrevokedIsTheOneThatCounts) {
  unrevoke();
  retarget("1111");  // nothing is left for m1
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1")), ok("m1", 2, ""));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 2 after 2 unrevoked revoking foo:0@2,1@2"}));
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("")), ok("m1", 4, std::nullopt));
  EXPECT_EQ(rig.beat(beats("m2", 4)), ok("m2", 4, "foo:0,1,2,3"));
}

TEST_P(ConsumerGroupReconciliation, AWaitingHeartbeatChangesNothingOnceALaterOneCame) {
  rig.pass(1000);
  ASSERT_EQ(rig.send(beats("m2", 3).with_assignor("range").owns("")), std::nullopt);
  rig.send(beats("m1", 2).owns("foo:0,1"));
  // Over another connection it is given what it waited for; its epoch stays.
  EXPECT_EQ(rig.send(beats("m2", 3)), ok("m2", 3, "foo:2,3"));
  // So it may own foo:2 although the heartbeat that waited said that it owns nothing, and it must
  // be told to revoke it by an answer that it reads.
  EXPECT_EQ(rig.finish(as_told("0001")), (Answers{ok("m2", 3, "foo:2,3")}));
  EXPECT_EQ(rig.send(beats("m2", 3)), ok("m2", 3, "foo:3"));
  EXPECT_EQ(rig.stored().back(), "8 m2 at 3 after 3 unrevoked foo:3@3 revoking foo:2@3");
}

TEST_P(ConsumerGroupReconciliation, ADeletedTopicIsTakenAway) {
  rig.topic("bar", 1);
  rig.beat(joins("m9", {"bar", "foo"}).in("h"));
  rig.pass(1000);
  rig.remove_topic("bar");
  EXPECT_EQ(rig.beat(beats("m9", 2).in("h")), ok("m9", 2, "foo:0,1,2,3"));
  EXPECT_EQ(rig.beat(beats("m9", 2).owns("foo:0,1,2,3").in("h")), ok("m9", 3, std::nullopt));
}

TEST_P(ConsumerGroupReconciliation, TheRebalanceTimerRunsWhileUnrevokedOnly) {
  unrevoke();
  const std::string key = "rebalance 1 g m1";
  EXPECT_EQ(rig.timers.at(key), rig.host.now_ms + 5000);
  rig.pass(3000);
  // Nothing changes, so it goes on.
  rig.beat(beats("m1", 2).owns("foo:0,1,2,3"));
  EXPECT_EQ(rig.timers.at(key), rig.host.now_ms + 2000);
  rig.beat(beats("m1", 2).owns("foo:0,1"));
  EXPECT_EQ(rig.timers.count(key), 0U);
}

TEST_P(ConsumerGroupReconciliation, WhoDoesNotRevokeInTimeIsRemovedAndItsPartitionsAreFree) {
  unrevoke();
  rig.pass(5000);
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 4"}));
  EXPECT_EQ(rig.timers.count("session 1 g m1"), 0U);
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 4, "foo:0,1,2,3"));
  EXPECT_EQ(rig.send(beats("m1", 2))->error, 25);
}

TEST_P(ConsumerGroupReconciliation, WhoDoesNotSayWhatItOwnsHasRevokedNothing) {
  unrevoke();
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("foo:0,1,3")), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupReconciliation, AnOldTargetGivesNothingThatIsNotSubscribedAnyMore) {
  rig.topic("bar", 1);
  // m2 waits for foo:2,3 and no longer wants them; the next assignment is not due yet.
  EXPECT_EQ(rig.send(beats("m2", 3).with_topics({"bar"})), ok("m2", 3, std::nullopt));
  unrevoke();
  rig.send(beats("m1", 2).owns("foo:0,1"));
  EXPECT_EQ(rig.send(beats("m2", 3)), ok("m2", 3, std::nullopt));
  EXPECT_EQ(rig.state(), "Assigning");
}

// The assignor is slow, and the time to revoke ends while the heartbeat waits for it.
TEST_P(ConsumerGroupReconciliation, WhoHasRevokedInAHeartbeatThatWaitsIsNotRemoved) {
  unrevoke();
  rig.pass(4900);
  ASSERT_EQ(rig.send(beats("m1", 2).with_assignor("range").owns("foo:0,1")), std::nullopt);
  rig.pass(200);
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.finish(as_told("0011")), (Answers{ok("m1", 4, std::nullopt)}));
  EXPECT_EQ(rig.timers.count("rebalance 1 g m1"), 0U);
}

TEST_P(ConsumerGroupReconciliation, WhoWaitsWithoutHavingRevokedIsRemovedAfterTheWait) {
  unrevoke();
  rig.pass(4900);
  ASSERT_EQ(rig.send(beats("m1", 2).with_assignor("range")), std::nullopt);
  rig.pass(200);
  EXPECT_EQ(rig.expire(), ok("m1", 2, std::nullopt));
  rig.pass(250);
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 5"}));
}

}  // namespace
}  // namespace muster::consumer
