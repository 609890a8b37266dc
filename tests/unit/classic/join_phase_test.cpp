// The join phase: when it ends, who is left out, who leads.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CLASSIC_TESTS(ClassicJoinPhase);

TEST_P(ClassicJoinPhase, MembersThatDoNotRejoinInTimeAreRemoved) {
  rig.stable({by("a"), by("b"), by("c").with_session(600'000)});
  rig.join(back("a1"));
  rig.join(back("b1"));
  rig.pass(59'999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x b1=x",
                                          "join b1: 2 range consumer: b1 follows a1"));
}

TEST_P(ClassicJoinPhase, ItLastsAsLongAsTheLongestRebalanceTimeout) {
  rig.stable(
      {by("a").with_rebalance(20'000), by("b").with_rebalance(90'000).with_session(600'000)});
  rig.join(back("a1").with_rebalance(20'000));
  rig.pass(89'999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x"));
}

TEST_P(ClassicJoinPhase, VersionZeroMayTakeItsSessionTimeoutToRejoin) {
  rig.joins(by("a").at(0).with_session(20'000));
  rig.pass(3000);
  rig.answered();
  rig.sync(syncs("a1", 1).at(0));
  rig.joins(by("b").at(0));
  rig.pass(19'999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join b: 2 range: b1 leads b1=x"));
}

TEST_P(ClassicJoinPhase, ALeaderThatDoesNotRejoinIsFollowedByOneThatDid) {
  rig.stable({by("a").with_session(600'000), by("b"), by("c")});
  rig.join(back("c1").offering({{"range", "other"}}));
  rig.join(back("b1"));
  rig.pass(60'000);
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 2 range consumer: b1 leads b1=x c1=other",
                                          "join c1: 2 range consumer: c1 follows b1"));
}

TEST_P(ClassicJoinPhase, AStaticLeaderThatDoesNotRejoinStaysAndFollows) {
  rig.stable({by("a").with_instance("i").with_session(600'000), by("b")});
  rig.join(back("b1").offering({{"range", "other"}}));
  rig.pass(60'000);
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 2 range consumer: b1 leads b1=other i1=x"));
}

TEST_P(ClassicJoinPhase, WhereOnlyStaticMembersAreLeftAndNoneRejoinsItIsPutOff) {
  rig.stable({by("a").with_instance("i").with_session(200'000), by("b").with_session(200'000)});
  rig.leave({{"b1"}});
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  rig.pass(120'000);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_THAT(rig.answered(), IsEmpty());
  EXPECT_EQ(rig.join(back("i1").with_instance("i")), "2 range consumer: i1 leads i1=x");
}

TEST_P(ClassicJoinPhase, AndTheirSessionsEndThePostponedPhase) {
  rig.stable({by("a").with_instance("i").with_session(100'000), by("b").with_session(200'000)});
  rig.leave({{"b1"}});
  rig.pass(99'999);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  rig.pass(1);
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_THAT(rig.stored(), ElementsAre("g 2 'consumer' - -"));
}

TEST_P(ClassicJoinPhase, APendingMemberHoldsItUpUntilItJoins) {
  rig.stable({by("a")});
  rig.join(by("b"));
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 follows a1");
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x b1=x"));
}

TEST_P(ClassicJoinPhase, APendingMemberThatNeverComesBackIsGivenUpAfterItsSessionTimeout) {
  rig.stable({by("a")});
  rig.join(by("b").with_session(7000));
  EXPECT_EQ(rig.join(back("a1")), waits);
  rig.pass(6999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x"));
  EXPECT_EQ(rig.join(back("b1")), "UNKNOWN_MEMBER_ID b1");
}

TEST_P(ClassicJoinPhase, APendingMemberThatLeavesEndsIt) {
  rig.stable({by("a")});
  rig.join(by("b"));
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.leave({{"b1"}}), "b1 NONE");
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x"));
}

TEST_P(ClassicJoinPhase, ItsTimerIsStoppedWhenAllAreHere) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  rig.join(back("b1"));
  EXPECT_FALSE(rig.timers.contains("join g"));
}

TEST_P(ClassicJoinPhase, AMemberThatWaitsIsNotRemovedWhenItsSessionEnds) {
  rig.stable({by("a"), by("b").with_session(600'000)});
  EXPECT_EQ(rig.join(back("a1")), waits);
  rig.pass(50'000);
  EXPECT_THAT(rig.answered(), IsEmpty());
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 follows a1");
}

TEST_P(ClassicJoinPhase, ANewMemberMayWaitFiveMinutes) {
  rig.stable({by("a").with_rebalance(900'000).with_session(900'000)});
  EXPECT_EQ(rig.joins(by("b").with_rebalance(900'000)), waits);
  rig.pass(299'999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: UNKNOWN_MEMBER_ID "));
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x");
}

TEST_P(ClassicJoinPhase, ItStoresNothing) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  EXPECT_THAT(rig.stored(), IsEmpty());
  rig.join(back("b1"));
  EXPECT_THAT(rig.stored(), IsEmpty());
}

}  // namespace
}  // namespace muster::classic
