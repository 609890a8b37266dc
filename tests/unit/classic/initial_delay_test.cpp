// The first join phase of an empty group, which waits so that members who start together share it.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

CLASSIC_TESTS(ClassicInitialDelay);

TEST_P(ClassicInitialDelay, TwoMembersWithinItShareAGeneration) {
  rig.joins(by("a"));
  rig.pass(2000);
  rig.joins(by("b"));
  rig.pass(3999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 range consumer: a1 leads a1=x b1=x",
                                          "join b1: 1 range consumer: b1 follows a1"));
}

TEST_P(ClassicInitialDelay, ItEndsInTimeWhereNobodyElseComes) {
  rig.joins(by("a"));
  rig.pass(2999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), SizeIs(1));
}

TEST_P(ClassicInitialDelay, NewcomersExtendItNotBeyondTheRebalanceTimeout) {
  rig.joins(by("m").with_rebalance(7000));
  // Due at 3000, 6000 and then, with 1000 left, at 7000.
  rig.pass(2900);
  rig.joins(by("m").with_rebalance(7000));
  rig.pass(3000);
  rig.joins(by("m").with_rebalance(7000));
  rig.pass(1000);
  rig.joins(by("m").with_rebalance(7000));
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(100);
  EXPECT_THAT(rig.answered(), SizeIs(4));
}

TEST_P(ClassicInitialDelay, ARebalanceTimeoutShorterThanItDoesNotCutIt) {
  rig.joins(by("a").with_rebalance(1000));
  rig.pass(2000);
  rig.joins(by("b").with_rebalance(1000));
  rig.pass(999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), SizeIs(2));
}

TEST_P(ClassicInitialDelay, PendingMembersDoNotHoldItsEndUp) {
  rig.joins(by("a"));
  rig.join(by("b"));
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 range consumer: a1 leads a1=x"));
  EXPECT_EQ(rig.join(back("b1")), waits);
}

TEST_P(ClassicInitialDelay, ItIsForEveryGroupThatWasEmpty) {
  rig.stable({by("a")});
  rig.leave({{"a1"}});
  EXPECT_EQ(rig.joins(by("b")), waits);
  rig.pass(2999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 3 range consumer: b1 leads b1=x"));
}

TEST_P(ClassicInitialDelay, ItIsNotForGroupsThatHaveMembers) {
  rig.stable({by("a")});
  rig.joins(by("b"));
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x b1=x");
}

TEST_P(ClassicInitialDelay, WhereAllLeaveMeanwhileTheGroupIsEmptyAtItsEnd) {
  rig.joins(by("a"));
  EXPECT_EQ(rig.leave({{"a1"}}), "a1 NONE");
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: UNKNOWN_MEMBER_ID "));
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  rig.pass(3000);
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_THAT(rig.stored(), ElementsAre("g 1 'consumer' - -"));
}

class ClassicWithoutDelay : public ::testing::TestWithParam<Door> {
 protected:
  ClassicWithoutDelay() {
    rig.options.set("group.initial.rebalance.delay.ms", "0");
    rig.open();
  }
  ClassicRig rig{GetParam(), false};
};
BOTH_DOORS(ClassicWithoutDelay);

TEST_P(ClassicWithoutDelay, TheFirstMemberIsAnsweredAtOnce) {
  EXPECT_EQ(rig.joins(by("a")), waits);
  rig.pass(0);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 range consumer: a1 leads a1=x"));
}

}  // namespace
}  // namespace muster::classic
