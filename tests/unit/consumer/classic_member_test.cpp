// SyncGroup, Heartbeat and LeaveGroup of classic members in a consumer group; their timers.
#include <gmock/gmock.h>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;

class ClassicMember : public ::testing::TestWithParam<Door> {
 protected:
  // m1 and c1 have three partitions of foo each, at epoch 3.
  void SetUp() override {
    rig.topic("foo", 6);
    rig.beat(joins("m1", {"foo"}));
    rig.pass(1000);
    rig.join(join_of("c1"));
    rig.beat(beats("m1", 2).owns("foo:0,1,2"));
    rig.join(join_of("c1"));
    ASSERT_EQ(rig.sync({"c1", 3}), "foo:3,4,5 v3");
  }
  // A third member joins at epoch 4: c1 is to give one up.
  void third_joins() {
    rig.pass(1000);
    rig.beat(joins("m3", {"foo"}));
  }

  ClassicRig rig{GetParam()};
};
BOTH_DOORS(ClassicMember);

TEST_P(ClassicMember, SyncChecksMemberGenerationAndProtocolInThatOrder) {
  EXPECT_EQ(rig.sync({"c9", 3}), "error 25");
  EXPECT_EQ(rig.sync({"m1", 3}), "error 25");  // not a classic member
  EXPECT_EQ(rig.sync(Of("c1", 2).with_protocol("connect", "x")), "error 22");
  EXPECT_EQ(rig.sync(Of("c1", 4)), "error 22");
  EXPECT_EQ(rig.sync(Of("c1", 3).with_protocol("connect", "range")), "error 23");
  EXPECT_EQ(rig.sync(Of("c1", 3).with_protocol("consumer", "cooperative")), "error 23");
  EXPECT_THAT(rig.last.timers, IsEmpty());
}

TEST_P(ClassicMember, SyncNeedsTheProtocolFromVersionFiveOn) {
  EXPECT_EQ(rig.sync(Of("c1", 3).with_protocol({}, {})), "error 23");
  EXPECT_EQ(rig.sync(Of("c1", 3).with_protocol("consumer", {})), "error 23");
  EXPECT_EQ(rig.sync(Of("c1", 3).with_protocol({}, {}).with_sync_version(4)), "foo:3,4,5 v3");
}

TEST_P(ClassicMember, TheAssignmentIsInTheVersionOfItsMetadata) {
  for (const std::int16_t version : {0, 1, 2, 3}) {
    Join join = join_of("c1").owning("foo:3,4,5");
    join.subscription_version = version;
    rig.join(join);
    EXPECT_EQ(rig.sync({"c1", 3}), "foo:3,4,5 v" + std::to_string(version));
  }
}

TEST_P(ClassicMember, ATopicThatIsGoneIsNotInTheAssignment) {
  rig.remove_topic("foo");
  EXPECT_EQ(rig.sync({"c1", 3}), "v3");
}

TEST_P(ClassicMember, SyncIsToldOfANewerAssignment) {
  third_joins();
  EXPECT_EQ(rig.sync({"c1", 3}), "error 27");
  EXPECT_EQ(rig.timers.count("join 1 g c1"), 1U);
}

TEST_P(ClassicMember, HeartbeatsRenewItsOwnSession) {
  rig.pass(4000);
  EXPECT_EQ(rig.beat_of({"c1", 3}), 0);
  EXPECT_EQ(rig.timers.at("session 1 g c1"), rig.host.now_ms + 10000);
  EXPECT_EQ(rig.beat_of({"c1", 2}), 22);
  EXPECT_EQ(rig.beat_of({"c9", 3}), 25);
  EXPECT_EQ(rig.beat_of({"m1", 3}), 25);
}

TEST_P(ClassicMember, RevokesByRejoining) {
  third_joins();
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  // Cooperative: it still owns all three, so it is told which to keep.
  EXPECT_EQ(rig.join(join_of("c1").owning("foo:3,4,5")), "c1 at 3 by range");
  EXPECT_EQ(rig.stored(), (Lines{"5 c1 [foo] classic",
                                 "8 c1 at 3 after 3 unrevoked foo:3@3,4@3 revoking foo:5@3"}));
  EXPECT_EQ(rig.sync({"c1", 3}), "foo:3,4 v3");
  // It has revoked: its heartbeat makes it say so.
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  EXPECT_EQ(rig.join(join_of("c1").owning("foo:3,4")), "c1 at 4 by range");
  EXPECT_EQ(rig.sync({"c1", 4}), "foo:3,4 v3");
  EXPECT_EQ(rig.beat_of({"c1", 4}), 0);
  EXPECT_EQ(rig.beat(beats("m3", 4)), ok("m3", 4, "foo:5"));
}

TEST_P(ClassicMember, AnEagerMemberRejoinsWithNothingAndNeedsNoSecondRound) {
  third_joins();
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  EXPECT_EQ(rig.join(join_of("c1")), "c1 at 4 by range");
  EXPECT_EQ(rig.sync({"c1", 4}), "foo:3,4 v3");
}

TEST_P(ClassicMember, WaitsForPartitionsThatOthersHoldUntilTheyAreFree) {
  rig.pass(1000);
  rig.join(join_of("c2"));
  EXPECT_EQ(rig.sync({"c2", 4}), "v3");
  EXPECT_EQ(rig.beat_of({"c2", 4}), 0);  // rejoining would bring nothing
  rig.beat(beats("m1", 3));
  rig.beat(beats("m1", 3).owns("foo:0,1"));
  EXPECT_EQ(rig.beat_of({"c2", 4}), 0);  // one of two is free
  rig.join(join_of("c1"));
  EXPECT_EQ(rig.beat_of({"c2", 4}), 27);
  EXPECT_EQ(rig.join(join_of("c2")), "c2 at 4 by range");
  EXPECT_EQ(rig.sync({"c2", 4}), "foo:2,5 v3");
}

TEST_P(ClassicMember, OneThatDoesNotRejoinInTimeIsRemoved) {
  third_joins();
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  rig.pass(3000);
  // Further heartbeats keep its session, and move no deadline.
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  rig.pass(1999);
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  rig.pass(1);
  EXPECT_EQ(rig.stored(), (Lines{"-8 c1", "-7 c1", "-5 c1", "3 epoch 5"}));
  EXPECT_EQ(rig.beat_of({"c1", 3}), 25);
}

TEST_P(ClassicMember, RejoiningEndsTheWaitForIt) {
  third_joins();
  rig.beat_of({"c1", 3});
  rig.join(join_of("c1"));
  EXPECT_EQ(rig.timers.count("join 1 g c1"), 0U);
  rig.sync({"c1", 4});
  rig.pass(9000);
  EXPECT_EQ(rig.beat_of({"c1", 4}), 0);
  // Asked anew, it has its whole timeout again.
  rig.beat(leaves("m3"));
  rig.pass(1000);
  rig.beat(beats("m1", 3));
  rig.beat_of({"c1", 4});
  EXPECT_EQ(rig.timers.at("join 1 g c1"), rig.host.now_ms + 5000);
}

TEST_P(ClassicMember, OneThatDoesNotSyncInTimeIsRemoved) {
  rig.pass(1000);
  rig.join(join_of("c2"));
  rig.pass(4999);
  EXPECT_EQ(rig.beat_of({"c2", 4}), 0);
  rig.pass(1);
  EXPECT_EQ(rig.beat_of({"c2", 4}), 25);
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
}

TEST_P(ClassicMember, OneThatIsNotHeardOfIsRemoved) {
  rig.pass(10000);
  EXPECT_EQ(rig.beat_of({"c1", 3}), 25);
  EXPECT_EQ(rig.beat(beats("m1", 3)).error, 0);
}

TEST_P(ClassicMember, AfterALoadItsSessionStartsAnewAndNothingElse) {
  third_joins();
  rig.beat_of({"c1", 3});
  rig.reload();
  EXPECT_EQ(rig.timers.at("session 1 g c1"), rig.host.now_ms + 10000);
  EXPECT_EQ(rig.timers.count("join 1 g c1"), 0U);
  EXPECT_EQ(rig.beat_of({"c1", 3}), 27);
  EXPECT_EQ(rig.timers.count("join 1 g c1"), 1U);
}

TEST_P(ClassicMember, ItsRevocationHasNoTimerOfTheNewProtocol) {
  third_joins();
  rig.join(join_of("c1").owning("foo:3,4,5"));
  EXPECT_EQ(rig.timers.count("rebalance 1 g c1"), 0U);
  rig.reload();
  EXPECT_EQ(rig.timers.count("rebalance 1 g c1"), 0U);
}

TEST_P(ClassicMember, LeavesInABatchWithAnErrorForEach) {
  rig.join(join_of("c2"));
  EXPECT_EQ(rig.leave({{"c1"}, {"c9"}, {"c2"}, {"c1"}}), "0: c1 0, c9 25, c2 0, c1 0");
  EXPECT_EQ(rig.stored(),
            (Lines{"-8 c1", "-7 c1", "-5 c1", "-8 c2", "-7 c2", "-5 c2", "3 epoch 5"}));
}

TEST_P(ClassicMember, BeforeVersionThreeTheErrorIsTheRequests) {
  EXPECT_EQ(rig.leave({{"c9"}}, 2), "25:");
  EXPECT_EQ(rig.leave({{"c1"}}, 0), "0:");
  EXPECT_EQ(rig.beat_of({"c1", 3}), 25);
}

TEST_P(ClassicMember, ABatchOfStrangersChangesNothing) {
  EXPECT_EQ(rig.leave({{"c9"}, {""}}), "0: c9 25,  25");
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_THAT(rig.last.timers, IsEmpty());
}

TEST_P(ClassicMember, AStaticOneMayBeRemovedByItsInstanceAlone) {
  rig.join(join_of("").with_instance("i1"));
  EXPECT_EQ(rig.leave({Of("").with_instance("i1")}), "0:  0");
  EXPECT_THAT(rig.join(join_of("c9").with_instance("i1")), "error 25");
}

TEST_P(ClassicMember, RequestsForGroupsThatNobodyOwnsMeetNoMember) {
  Of by("c1", 3);
  by.group = "other";
  EXPECT_EQ(rig.sync(by), "error 25");
  EXPECT_EQ(rig.beat_of(by), 25);
  EXPECT_EQ(rig.leave({by}), "0: c1 25");
  EXPECT_EQ(rig.leave({by}, 1), "25:");
  by.group = "";
  EXPECT_EQ(rig.sync(by), "error 24");
  EXPECT_EQ(rig.beat_of(by), 24);
  EXPECT_EQ(rig.leave({by}), "24:");
}

TEST_P(ClassicMember, WithoutReadOnTheGroupNothingIsDone) {
  rig.deny(3, 3, "g");
  EXPECT_EQ(rig.sync({"c1", 3}), "error 30");
  EXPECT_EQ(rig.beat_of({"c1", 3}), 30);
  EXPECT_EQ(rig.leave({{"c1"}}), "30:");
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

}  // namespace
}  // namespace muster::consumer
