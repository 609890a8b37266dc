// Protocol types and names: which members go together, and which name is chosen.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;

CLASSIC_TESTS(ClassicProtocols);

TEST_P(ClassicProtocols, AnEmptyGroupWantsATypeAndANameAndIsMadeAllTheSame) {
  EXPECT_EQ(rig.join(by("a").of_type("")), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.join(by("a").offering({})), "INCONSISTENT_GROUP_PROTOCOL ");
}

TEST_P(ClassicProtocols, AnotherTypeIsRefused) {
  rig.stable({by("a")});
  EXPECT_EQ(rig.join(by("b").of_type("connect")), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_EQ(rig.join(back("a1").of_type("connect")), "INCONSISTENT_GROUP_PROTOCOL a1");
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(ClassicProtocols, ANameThatNotAllHaveIsRefused) {
  rig.stable({by("a").offering({{"range", "x"}, {"sticky", "x"}}), by("b")});
  EXPECT_EQ(rig.join(by("c").offering({{"sticky", "x"}})), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_EQ(rig.join(by("c").offering({{"sticky", "x"}, {"range", "x"}})), "MEMBER_ID_REQUIRED c1");
}

TEST_P(ClassicProtocols, TheNameThatMostWantFirstIsChosen) {
  rig.joins(by("a").offering({{"range", "ra"}, {"sticky", "sa"}}));
  rig.joins(by("b").offering({{"sticky", "sb"}, {"range", "rb"}}));
  rig.joins(by("c").offering({{"mine", "mc"}, {"sticky", "sc"}, {"range", "rc"}}));
  rig.pass(6000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 sticky consumer: a1 leads a1=sa b1=sb c1=sc",
                                          "join b1: 1 sticky consumer: b1 follows a1",
                                          "join c1: 1 sticky consumer: c1 follows a1"));
}

TEST_P(ClassicProtocols, ANewMemberMayLeaveOnlyOneNameToChoose) {
  const Offers both = {{"cooperative", "c"}, {"sticky", "s"}};
  rig.stable({by("a").offering(both)});
  EXPECT_EQ(rig.joins(by("b").offering({{"sticky", "s"}})), waits);
  EXPECT_EQ(rig.join(back("a1").offering(both)), "2 sticky consumer: a1 leads a1=s b1=s");
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 2 sticky consumer: b1 follows a1"));
}

TEST_P(ClassicProtocols, OfNamesWithAsManyVotesTheSmallestIsChosen) {
  rig.joins(by("a").offering({{"sticky", "sa"}, {"range", "ra"}}));
  rig.joins(by("b").offering({{"range", "rb"}, {"sticky", "sb"}}));
  rig.pass(6000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 range consumer: a1 leads a1=ra b1=rb",
                                          "join b1: 1 range consumer: b1 follows a1"));
}

TEST_P(ClassicProtocols, ANameGivenTwiceCountsOnceAsItCameFirst) {
  rig.joins(by("a").offering({{"range", "first"}, {"range", "second"}}));
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 range consumer: a1 leads a1=first"));
  EXPECT_EQ(rig.join(back("a1").offering({{"range", "first"}})),
            "1 range consumer: a1 leads a1=first");
}

// A Connect cluster and a schema registry elect over the same protocol.
TEST_P(ClassicProtocols, OtherTypesThanConsumersWorkAlike) {
  const Offers connect = {{"sessioned", "url"}};
  rig.joins(by("w").of_type("connect").offering(connect));
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join w1: 1 sessioned connect: w1 leads w1=url"));
  Sync sync = syncs("w1", 1, {{"w1", "tasks"}});
  sync.type = "connect";
  sync.protocol = "sessioned";
  EXPECT_EQ(rig.sync(sync), "has tasks by connect/sessioned");
  EXPECT_EQ(rig.describe(), "Stable connect/sessioned, w1 url/tasks");
}

TEST_P(ClassicProtocols, AGroupThatWasEmptyTakesTheTypeOfItsNextMember) {
  rig.stable({by("a")});
  rig.leave({{"a1"}});
  rig.joins(by("w").of_type("connect").offering({{"sessioned", "url"}}));
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join w1: 3 sessioned connect: w1 leads w1=url"));
}

TEST_P(ClassicProtocols, NoNamesAtAllAreNotEqualToSome) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(back("b1").offering({})), "INCONSISTENT_GROUP_PROTOCOL b1");
}

}  // namespace
}  // namespace muster::classic
