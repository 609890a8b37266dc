// LeaveGroup: one member or several, known or not.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CLASSIC_TESTS(ClassicLeave);

TEST_P(ClassicLeave, EachMemberOfABatchHasItsOwnAnswer) {
  rig.stable({by("a"), by("b").with_instance("i")});
  rig.join(by("c"));
  EXPECT_EQ(rig.leave({{"a1"}, {"stranger"}, {"", "i"}, {"", "j"}, {"c1"}}),
            "a1 NONE, stranger UNKNOWN_MEMBER_ID, /i NONE, /j UNKNOWN_MEMBER_ID, c1 NONE");
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_THAT(rig.stored(), ElementsAre("g 2 'consumer' - -"));
}

TEST_P(ClassicLeave, ABatchStartsOneRebalance) {
  rig.stable({by("a"), by("b"), by("c")});
  EXPECT_EQ(rig.leave({{"b1"}, {"c1"}}), "b1 NONE, c1 NONE");
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x");
}

TEST_P(ClassicLeave, AMemberThatLeavesTwiceIsUnknownTheSecondTime) {
  rig.stable({by("a")});
  EXPECT_EQ(rig.leave({{"a1"}, {"a1"}}), "a1 NONE, a1 UNKNOWN_MEMBER_ID");
}

TEST_P(ClassicLeave, WhereNobodyLeftNothingChanges) {
  rig.stable({by("a")});
  EXPECT_EQ(rig.leave({{"stranger"}}), "stranger UNKNOWN_MEMBER_ID");
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(ClassicLeave, TheOldVersionsSayItAtTheTop) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.leave({{"stranger"}}, 0), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.leave({{"a1"}}, 2), "NONE");
  EXPECT_EQ(rig.state(), "PreparingRebalance");
}

TEST_P(ClassicLeave, OfAnUnknownGroupEveryMemberIsUnknown) {
  EXPECT_EQ(rig.leave({{"m"}, {"", "i"}}), "m UNKNOWN_MEMBER_ID, /i UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.leave({{"m"}}, 1), "UNKNOWN_MEMBER_ID");
}

TEST_P(ClassicLeave, EveryVersionIsAnswered) {
  rig.stable({by("a")});
  for (std::int16_t version = 0; version <= 2; ++version) {
    EXPECT_EQ(rig.leave({{"m"}}, version), "UNKNOWN_MEMBER_ID");
  }
  for (std::int16_t version = 3; version <= 5; ++version) {
    EXPECT_EQ(rig.leave({{"m"}}, version), "m UNKNOWN_MEMBER_ID");
  }
}

TEST_P(ClassicLeave, AnotherMembersInstanceIsFenced) {
  rig.stable({by("a").with_instance("i"), by("b")});
  EXPECT_EQ(rig.leave({{"b1", "i"}}), "b1/i FENCED_INSTANCE_ID");
  EXPECT_EQ(rig.leave({{"i1", "i"}}), "i1/i NONE");
}

TEST_P(ClassicLeave, AMemberThatWaitsInTheJoinPhaseIsAnsweredAndGoes) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  EXPECT_EQ(rig.leave({{"a1"}}), "a1 NONE");
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: UNKNOWN_MEMBER_ID "));
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 leads b1=x");
}

TEST_P(ClassicLeave, TheLastThatIsWaitedForEndsTheJoinPhaseByLeaving) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  rig.leave({{"b1"}});
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x"));
}

TEST_P(ClassicLeave, AMemberThatWaitsForTheAssignmentIsAnsweredAndGoes) {
  rig.joins(by("a"));
  rig.joins(by("b"));
  rig.joins(by("c"));
  rig.pass(6000);
  rig.answered();
  rig.sync(syncs("b1", 1));
  rig.sync(syncs("c1", 1));
  rig.leave({{"b1"}});
  EXPECT_THAT(rig.answered(),
              ElementsAre("sync b1: UNKNOWN_MEMBER_ID", "sync c1: REBALANCE_IN_PROGRESS"));
}

TEST_P(ClassicLeave, ALeaderThatLeavesIsFollowedByAnother) {
  rig.stable({by("a"), by("b"), by("c")});
  rig.leave({{"a1"}});
  rig.join(back("c1"));
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 leads b1=x c1=x");
  EXPECT_THAT(rig.answered(), ElementsAre("join c1: 2 range consumer: c1 follows b1"));
}

TEST_P(ClassicLeave, ItsSessionIsForgotten) {
  rig.stable({by("a")});
  rig.leave({{"a1"}});
  EXPECT_THAT(rig.timers, IsEmpty());
}

TEST_P(ClassicLeave, WhoMayNotReadTheGroupIsRefused) {
  rig.host.denied = {{3, 3, "g"}};
  EXPECT_EQ(rig.leave({{"m"}}), "GROUP_AUTHORIZATION_FAILED");
}

}  // namespace
}  // namespace muster::classic
