// Heartbeat: in each state, and what keeps a session alive.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CLASSIC_TESTS(ClassicHeartbeat);

TEST_P(ClassicHeartbeat, InAStableGroupItRenewsTheSessionAndNothingElse) {
  rig.stable({by("a")});
  EXPECT_EQ(rig.beat({"a1"}), "NONE");
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_THAT(rig.last.timers,
              ElementsAre(testing::Timer{"session 1 g " + rig.id_of("a1"), 10'000}));
}

TEST_P(ClassicHeartbeat, ASilentMemberIsRemovedAndTheGroupIsEmpty) {
  rig.stable({by("a")});
  rig.pass(9999);
  EXPECT_EQ(rig.beat({"a1"}), "NONE");
  rig.pass(9999);
  EXPECT_EQ(rig.state(), "Stable");
  rig.pass(1);
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_THAT(rig.stored(), ElementsAre("g 2 'consumer' - -"));
  EXPECT_EQ(rig.beat({"a1", 2}), "UNKNOWN_MEMBER_ID");
}

TEST_P(ClassicHeartbeat, ASilentMemberStartsARebalanceOfTheOthers) {
  rig.stable({by("a"), by("b").with_session(6000)});
  rig.pass(6000);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.beat({"a1"}), "REBALANCE_IN_PROGRESS");
  EXPECT_EQ(rig.beat({"b1"}), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x");
}

TEST_P(ClassicHeartbeat, InAJoinPhaseItKeepsTheSessionAlive) {
  rig.stable({by("a"), by("b")});
  rig.join(back("b1").offering({{"range", "other"}}));
  for (int i = 0; i < 5; ++i) {
    rig.pass(9000);
    EXPECT_EQ(rig.beat({"a1"}), "REBALANCE_IN_PROGRESS");
  }
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x b1=other");
}

TEST_P(ClassicHeartbeat, BetweenJoinAndSyncItIsWelcome) {
  rig.joins(by("a"));
  rig.pass(3000);
  EXPECT_EQ(rig.beat({"a1"}), "NONE");
}

TEST_P(ClassicHeartbeat, AnUnknownGroupHasNoMembers) {
  EXPECT_EQ(rig.beat({"m", 1, std::nullopt, "other"}), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.beat({"m", 1, std::nullopt, ""}), "INVALID_GROUP_ID");
}

TEST_P(ClassicHeartbeat, AnotherGenerationIsIllegal) {
  rig.stable({by("a")});
  EXPECT_EQ(rig.beat({"a1", 0}), "ILLEGAL_GENERATION");
  EXPECT_EQ(rig.beat({"a1", 2}), "ILLEGAL_GENERATION");
  EXPECT_EQ(rig.beat({"stranger", 2}), "UNKNOWN_MEMBER_ID");
  EXPECT_THAT(rig.last.timers, IsEmpty());
}

TEST_P(ClassicHeartbeat, WhoMayNotReadTheGroupIsRefused) {
  rig.stable({by("a")});
  rig.host.denied = {{3, 3, "g"}};
  EXPECT_EQ(rig.beat({"a1"}), "GROUP_AUTHORIZATION_FAILED");
}

TEST_P(ClassicHeartbeat, EveryVersionIsAnswered) {
  rig.stable({by("a")});
  for (std::int16_t version = 0; version <= 4; ++version) {
    EXPECT_EQ(rig.beat({"a1", 1, std::nullopt, "g", version}), "NONE");
  }
}

TEST_P(ClassicHeartbeat, IdsAreNotConfusedHoweverTheyAreMade) {
  rig.stable({by("a b")});
  rig.stable({by("b").in("g a")});
  EXPECT_EQ(rig.beat({"a b1"}), "NONE");
  rig.pass(9000);
  EXPECT_EQ(rig.beat({"a b1"}), "NONE");
  rig.pass(1000);
  EXPECT_EQ(rig.state("g"), "Stable");
  EXPECT_EQ(rig.state("g a"), "Empty");
}

}  // namespace
}  // namespace muster::classic
