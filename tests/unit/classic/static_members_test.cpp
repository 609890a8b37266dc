// Static members: one instance id through several member ids.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ClassicStatic : public ClassicTest {
 protected:
  // i1 leads, j1 and d1 follow; d1 is dynamic.
  void SetUp() override {
    rig.stable({by("a").with_instance("i"), by("b").with_instance("j"), by("d")});
  }
  Join comes(std::string_view instance) { return by("new").with_instance(instance); }
};
BOTH_DOORS(ClassicStatic);

TEST_P(ClassicStatic, AFollowerThatComesBackTakesItsPlaceWithoutARebalance) {
  EXPECT_EQ(rig.join(comes("j")), "1 range consumer: j2 follows i1");
  EXPECT_THAT(rig.stored(),
              ElementsAre("g 1 'consumer' range i1, d1 x/for d1, i1 x/for i1, j2 x/for j1"));
  EXPECT_EQ(rig.state(), "Stable");
  EXPECT_EQ(rig.sync(syncs("j2", 1).with_instance("j")), "has for j1 by consumer/range");
  EXPECT_EQ(rig.beat({"d1"}), "NONE");
}

TEST_P(ClassicStatic, ALeaderThatComesBackIsToldToSkipTheAssignment) {
  const std::string answer = rig.join(comes("i"));
  EXPECT_EQ(answer, "1 range consumer: i2 leads d1=x i2=x j1=x skip");
  EXPECT_EQ(rig.sync(syncs("i2", 1).with_instance("i")), "has for i1 by consumer/range");
}

TEST_P(ClassicStatic, BeforeVersion9ItIsToldThatItsOldSelfLeads) {
  EXPECT_EQ(rig.join(comes("i").at(8)), "1 range consumer: i2 follows i1");
  EXPECT_EQ(rig.join(comes("i").at(5)), "1 range: i3 follows i2");
  EXPECT_EQ(rig.join(comes("j").at(8)), "1 range consumer: j2 follows i3");
}

TEST_P(ClassicStatic, TheOldMemberIdIsFenced) {
  rig.join(comes("j"));
  EXPECT_EQ(rig.beat({"j1", 1, "j"}), "FENCED_INSTANCE_ID");
  EXPECT_EQ(rig.sync(syncs("j1", 1).with_instance("j")), "FENCED_INSTANCE_ID");
  EXPECT_EQ(rig.join(back("j1").with_instance("j")), "FENCED_INSTANCE_ID j1");
  EXPECT_EQ(rig.leave({{"j1", "j"}}), "j1/j FENCED_INSTANCE_ID");
  EXPECT_EQ(rig.beat({"j1", 1}), "UNKNOWN_MEMBER_ID");
}

TEST_P(ClassicStatic, AnUnknownInstanceIsAnUnknownMember) {
  EXPECT_EQ(rig.beat({"j1", 1, "nobody"}), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.sync(syncs("j1", 1).with_instance("nobody")), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.join(back("j1").with_instance("nobody")), "UNKNOWN_MEMBER_ID j1");
}

TEST_P(ClassicStatic, WithItsMemberIdItRejoinsAsADynamicOneDoes) {
  EXPECT_EQ(rig.join(back("j1").with_instance("j")), "1 range consumer: j1 follows i1");
  EXPECT_EQ(rig.join(back("i1").with_instance("i")), waits);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
}

TEST_P(ClassicStatic, OtherProtocolsThatChangeTheChoiceStartARebalance) {
  const Offers other = {{"sticky", "s"}, {"range", "r"}};
  rig.stable({by("p").with_instance("p").in("h").offering(other)});
  EXPECT_EQ(rig.describe("h"), "Stable consumer/sticky, p1 is p s/for p1");
  EXPECT_EQ(rig.join(comes("p").in("h").offering({{"range", "r"}, {"sticky", "s"}})),
            "2 range consumer: p2 leads p2=r");
  EXPECT_EQ(rig.state("h"), "CompletingRebalance");
}

TEST_P(ClassicStatic, OtherMetadataUnderTheSameChoiceDoesNot) {
  EXPECT_EQ(rig.join(comes("j").offering({{"range", "other"}})), "1 range consumer: j2 follows i1");
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(ClassicStatic, BeforeTheSyncItsReturnBreaksTheRebalanceOff) {
  rig.join(back("i1").with_instance("i"));
  rig.join(back("j1").with_instance("j"));
  rig.join(back("d1"));
  rig.answered();
  EXPECT_EQ(rig.sync(syncs("j1", 2)), waits);
  EXPECT_EQ(rig.join(comes("j")), waits);
  EXPECT_THAT(rig.answered(), ElementsAre("sync j1: FENCED_INSTANCE_ID"));
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  rig.join(back("d1"));
  EXPECT_EQ(rig.join(back("i1").with_instance("i")), "3 range consumer: i1 leads d1=x i1=x j2=x");
}

TEST_P(ClassicStatic, InAJoinPhaseItTakesTheOldOnesPlace) {
  rig.join(back("i1").with_instance("i"));
  rig.join(back("j1").with_instance("j"));
  EXPECT_EQ(rig.join(comes("j")), waits);
  EXPECT_THAT(rig.answered(), ElementsAre("join j1: FENCED_INSTANCE_ID j1"));
  EXPECT_EQ(rig.join(back("d1")), "2 range consumer: d1 follows i1");
  EXPECT_THAT(rig.answered(), ElementsAre("join i1: 2 range consumer: i1 leads d1=x i1=x j2=x",
                                          "join new: 2 range consumer: j2 follows i1"));
}

TEST_P(ClassicStatic, ALeaderThatComesBackInAJoinPhaseLeads) {
  rig.join(back("d1").offering({{"range", "other"}}));
  rig.join(back("j1").with_instance("j"));
  EXPECT_EQ(rig.join(comes("i")), "2 range consumer: i2 leads d1=other i2=x j1=x");
}

TEST_P(ClassicStatic, ItsSessionIsTheNewIdsAndEndsIt) {
  rig.join(comes("j"));
  rig.pass(9000);
  rig.beat({"i1"});
  rig.beat({"d1"});
  rig.pass(1000);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.beat({"j2"}), "UNKNOWN_MEMBER_ID");
}

TEST_P(ClassicStatic, AnAdministratorRemovesItByItsInstance) {
  EXPECT_EQ(rig.leave({{"", "j"}}), "/j NONE");
  EXPECT_EQ(rig.beat({"j1", 1, "j"}), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.state(), "PreparingRebalance");
}

TEST_P(ClassicStatic, ItKeepsTheClientThatItWasKnownBy) {
  rig.join(comes("j"));
  EXPECT_EQ(rig.describe(),
            "Stable consumer/range, d1 x/for d1, i1 is i x/for i1, j2 is j x/for j1");
  EXPECT_THAT(rig.last.parks, IsEmpty());
}

TEST_P(ClassicStatic, AReplacedMemberOutlivesAReload) {
  rig.join(comes("j"));
  rig.load_again();
  EXPECT_EQ(rig.beat({"j2", 1, "j"}), "NONE");
  EXPECT_EQ(rig.beat({"j1", 1, "j"}), "FENCED_INSTANCE_ID");
}

TEST_P(ClassicStatic, OneThatHasNotSyncedYetMustDoSoUnderItsNewIdToo) {
  rig.join(back("i1").with_instance("i").with_session(600'000));
  rig.join(back("j1").with_instance("j").with_session(600'000));
  rig.join(back("d1").with_session(600'000));
  rig.sync(syncs("i1", 2, {{"j1", "J"}}));
  rig.sync(syncs("d1", 2));
  EXPECT_EQ(rig.join(comes("j").with_session(600'000)), "2 range consumer: j2 follows i1");
  EXPECT_EQ(rig.sync(syncs("j2", 2)), "has J by consumer/range");
  rig.pass(60'000);
  EXPECT_EQ(rig.state(), "Stable");
}

}  // namespace
}  // namespace muster::classic
