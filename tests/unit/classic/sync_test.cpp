// SyncGroup: the leader's assignment, those who wait for it, and those who never ask.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ClassicSync : public ClassicTest {
 protected:
  // a1 leads, b1 and c1 follow; nobody has synced.
  void SetUp() override {
    for (const char* client : {"a", "b", "c"}) rig.joins(by(client).with_session(600'000));
    rig.pass(6000);
    rig.answered();
  }
};
BOTH_DOORS(ClassicSync);

TEST_P(ClassicSync, TheLeadersAssignmentIsStoredAndEndsTheRebalance) {
  EXPECT_EQ(rig.sync(syncs("b1", 1)), waits);
  EXPECT_EQ(rig.sync(syncs("c1", 1)), waits);
  EXPECT_THAT(rig.stored(), IsEmpty());
  EXPECT_EQ(rig.state(), "CompletingRebalance");
  EXPECT_EQ(rig.sync(syncs("a1", 1, {{"a1", "A"}, {"b1", "B"}, {"c1", "C"}})),
            "has A by consumer/range");
  EXPECT_THAT(rig.stored(), ElementsAre("g 1 'consumer' range a1, a1 x/A, b1 x/B, c1 x/C"));
  EXPECT_EQ(rig.state(), "Stable");
  EXPECT_THAT(rig.answered(),
              ElementsAre("sync b1: has B by consumer/range", "sync c1: has C by consumer/range"));
}

TEST_P(ClassicSync, AFollowerMayComeAfterTheLeader) {
  rig.sync(syncs("a1", 1, {{"b1", "B"}}));
  EXPECT_EQ(rig.sync(syncs("b1", 1)), "has B by consumer/range");
  EXPECT_EQ(rig.sync(syncs("b1", 1)), "has B by consumer/range");
}

TEST_P(ClassicSync, StrangersInTheLeadersListAreIgnoredAndMissingMembersGetNothing) {
  rig.sync(syncs("b1", 1));
  EXPECT_EQ(rig.sync(syncs("a1", 1, {{"stranger", "S"}, {"a1", "A"}})), "has A by consumer/range");
  EXPECT_THAT(rig.stored(), ElementsAre("g 1 'consumer' range a1, a1 x/A, b1 x/, c1 x/"));
  EXPECT_THAT(rig.answered(), ElementsAre("sync b1: has  by consumer/range"));
}

TEST_P(ClassicSync, OfTwoSharesForAMemberTheLastCounts) {
  EXPECT_EQ(rig.sync(syncs("a1", 1, {{"a1", "first"}, {"a1", "second"}})),
            "has second by consumer/range");
}

TEST_P(ClassicSync, Version4GoesWithoutProtocolsAndVersion5DoesNot) {
  EXPECT_EQ(rig.sync(syncs("a1", 1, {{"a1", "A"}}).at(4)), "has A");
  Sync sync = syncs("a1", 1);
  sync.type.reset();
  EXPECT_EQ(rig.sync(sync), "INCONSISTENT_GROUP_PROTOCOL");
  sync = syncs("a1", 1);
  sync.protocol.reset();
  EXPECT_EQ(rig.sync(sync), "INCONSISTENT_GROUP_PROTOCOL");
}

TEST_P(ClassicSync, AnotherProtocolIsInconsistent) {
  Sync sync = syncs("a1", 1);
  sync.type = "connect";
  EXPECT_EQ(rig.sync(sync), "INCONSISTENT_GROUP_PROTOCOL");
  sync = syncs("a1", 1);
  sync.protocol = "sticky";
  EXPECT_EQ(rig.sync(sync), "INCONSISTENT_GROUP_PROTOCOL");
}

TEST_P(ClassicSync, EveryVersionIsAnswered) {
  rig.sync(syncs("a1", 1, {{"a1", "A"}}));
  for (std::int16_t version = 0; version <= 4; ++version) {
    EXPECT_EQ(rig.sync(syncs("a1", 1).at(version)), "has A");
  }
}

TEST_P(ClassicSync, TheMemberIsCheckedBeforeTheGenerationAndThatBeforeTheProtocol) {
  Sync sync = syncs("stranger", 7);
  sync.protocol = "sticky";
  EXPECT_EQ(rig.sync(sync), "UNKNOWN_MEMBER_ID");
  sync.member = "a1";
  EXPECT_EQ(rig.sync(sync), "ILLEGAL_GENERATION");
}

TEST_P(ClassicSync, InAJoinPhaseAMemberIsToldToRejoin) {
  rig.sync(syncs("a1", 1));
  rig.join(back("a1"));
  EXPECT_EQ(rig.sync(syncs("b1", 1)), "REBALANCE_IN_PROGRESS");
}

TEST_P(ClassicSync, AnUnknownOrEmptyGroupHasNoMembers) {
  Sync sync = syncs("m", 1);
  sync.group = "other";
  EXPECT_EQ(rig.sync(sync), "UNKNOWN_MEMBER_ID");
  rig.leave({{"a1"}, {"b1"}, {"c1"}});
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.sync(syncs("a1", 2)), "UNKNOWN_MEMBER_ID");
  sync.group = "";
  EXPECT_EQ(rig.sync(sync), "INVALID_GROUP_ID");
}

TEST_P(ClassicSync, WhoMayNotReadTheGroupIsRefused) {
  rig.host.denied = {{3, 3, "g"}};
  EXPECT_EQ(rig.sync(syncs("a1", 1)), "GROUP_AUTHORIZATION_FAILED");
}

TEST_P(ClassicSync, AMemberThatSendsAnotherSyncWaitsForThatOne) {
  rig.sync(syncs("b1", 1));
  EXPECT_EQ(rig.sync(syncs("b1", 1)), waits);
  EXPECT_THAT(rig.answered(), ElementsAre("sync b1: REBALANCE_IN_PROGRESS"));
  rig.sync(syncs("a1", 1, {{"b1", "B"}}));
  EXPECT_THAT(rig.answered(), ElementsAre("sync b1: has B by consumer/range"));
}

TEST_P(ClassicSync, WhoDoesNotSyncWithinTheRebalanceTimeoutIsRemoved) {
  EXPECT_EQ(rig.sync(syncs("b1", 1)), waits);
  rig.pass(59'999);
  EXPECT_THAT(rig.answered(), IsEmpty());
  rig.pass(1);
  EXPECT_THAT(rig.answered(), ElementsAre("sync b1: REBALANCE_IN_PROGRESS"));
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("a1")), "UNKNOWN_MEMBER_ID a1");
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 leads b1=x");
}

TEST_P(ClassicSync, SoIsAFollowerOfAGroupThatIsStableAlready) {
  rig.sync(syncs("b1", 1));
  rig.sync(syncs("a1", 1, {{"a1", "A"}}));
  rig.answered();
  rig.pass(60'000);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("c1")), "UNKNOWN_MEMBER_ID c1");
}

TEST_P(ClassicSync, WhereAllHaveSyncedNobodyIsRemoved) {
  rig.sync(syncs("b1", 1));
  rig.sync(syncs("a1", 1));
  rig.sync(syncs("c1", 1));
  EXPECT_FALSE(rig.timers.contains("sync g"));
  rig.pass(60'000);
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(ClassicSync, AMemberThatWaitsForTheLeaderIsAliveAndItsSessionRestartsThen) {
  rig.stable({by("m").in("h").with_session(600'000), by("n").in("h").with_session(6000)});
  rig.join(back("m1").in("h").with_session(600'000));
  rig.join(back("n1").in("h").with_session(6000));
  rig.answered();
  Sync sync = syncs("n1", 2);
  sync.group = "h";
  EXPECT_EQ(rig.sync(sync), waits);
  rig.pass(30'000);
  sync.member = "m1";
  sync.shares = {{"n1", "N"}};
  rig.sync(sync);
  EXPECT_THAT(rig.answered(), ElementsAre("sync n1: has N by consumer/range"));
  rig.pass(5999);
  EXPECT_EQ(rig.state("h"), "Stable");
  rig.pass(1);
  EXPECT_EQ(rig.state("h"), "PreparingRebalance");
}

TEST_P(ClassicSync, SoDoesThatOfAMemberThatComesAfterTheLeader) {
  rig.stable({by("m").in("h").with_session(600'000), by("n").in("h").with_session(6000)});
  rig.pass(5000);
  Sync sync = syncs("n1", 1);
  sync.group = "h";
  rig.sync(sync);
  rig.pass(5999);
  EXPECT_EQ(rig.state("h"), "Stable");
  rig.pass(1);
  EXPECT_EQ(rig.state("h"), "PreparingRebalance");
}

}  // namespace
}  // namespace muster::classic
