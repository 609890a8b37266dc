// JoinGroup: who is let in, and under which id.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CLASSIC_TESTS(ClassicJoin);

TEST_P(ClassicJoin, AKnownMemberIdOnAMissingGroupIsRefusedAndMakesNoGroup) {
  EXPECT_EQ(rig.join(by("a").as("stranger")), "UNKNOWN_MEMBER_ID stranger");
  EXPECT_EQ(rig.state(), "none");
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ClassicJoin, Version4WantsAMemberIdFirstAndListsTheGroupAtOnce) {
  EXPECT_EQ(rig.join(by("a").at(4)), "MEMBER_ID_REQUIRED a1");
  EXPECT_THAT(rig.stored(), ElementsAre("g 0 '' - -"));
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.join(back("a1").at(4)), waits);
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 1 range: a1 leads a1=x"));
}

TEST_P(ClassicJoin, Version3JoinsWithoutAMemberId) {
  EXPECT_EQ(rig.join(by("a").at(3)), waits);
  EXPECT_THAT(rig.stored(), ElementsAre("g 0 '' - -"));
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a: 1 range: a1 leads a1=x"));
}

TEST_P(ClassicJoin, AStaticMemberJoinsWithoutAMemberId) {
  EXPECT_EQ(rig.join(by("a").with_instance("i")), waits);
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join a: 1 range consumer: i1 leads i1=x"));
}

TEST_P(ClassicJoin, EveryVersionIsAnswered) {
  for (std::int16_t version = 0; version <= 9; ++version) {
    const std::string group = "v" + std::to_string(version);
    rig.joins(by("a").at(version).in(group));
    rig.pass(3000);
    const std::string id = "a" + std::to_string(version + 1);
    const std::string type = version >= 7 ? " consumer" : "";
    const std::string name = version >= 4 ? id : "a";
    EXPECT_THAT(rig.answered(), ElementsAre("join " + name + ": 1 range" + type + ": " + id +
                                            " leads " + id + "=x"));
  }
}

TEST_P(ClassicJoin, TheSessionTimeoutMustLieWithinBounds) {
  EXPECT_EQ(rig.join(by("a").with_session(5999)), "INVALID_SESSION_TIMEOUT ");
  EXPECT_EQ(rig.join(by("a").as("m").with_session(1'800'001)), "INVALID_SESSION_TIMEOUT m");
  EXPECT_EQ(rig.state(), "none");
  EXPECT_EQ(rig.join(by("a").with_session(6000)), "MEMBER_ID_REQUIRED a1");
}

TEST_P(ClassicJoin, TheEmptyGroupIdIsRefusedBeforeTheSessionTimeout) {
  EXPECT_EQ(rig.join(by("a").in("").with_session(1)), "INVALID_GROUP_ID ");
}

TEST_P(ClassicJoin, WhoMayNotReadTheGroupIsRefusedFirst) {
  rig.host.denied = {{3, 3, "g"}};
  EXPECT_EQ(rig.join(by("a").as("m").with_session(1)), "GROUP_AUTHORIZATION_FAILED ");
}

TEST_P(ClassicJoin, ANewMemberOfAStableGroupStartsARebalance) {
  rig.stable({by("a")});
  EXPECT_EQ(rig.joins(by("b")), waits);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.beat({"a1"}), "REBALANCE_IN_PROGRESS");
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x b1=x");
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 2 range consumer: b1 follows a1"));
}

TEST_P(ClassicJoin, TheLeaderRejoiningStartsARebalance) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 follows a1");
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x b1=x"));
}

TEST_P(ClassicJoin, AFollowerRejoiningUnchangedStaysInItsGeneration) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(back("b1")), "1 range consumer: b1 follows a1");
  EXPECT_EQ(rig.state(), "Stable");
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ClassicJoin, AFollowerRejoiningWithOtherMetadataStartsARebalance) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(back("b1").offering({{"range", "other"}})), waits);
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x b1=other");
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 2 range consumer: b1 follows a1"));
}

TEST_P(ClassicJoin, ARejoinBeforeTheSyncWithTheSameProtocolsIsAnsweredAgain) {
  rig.joins(by("a"));
  rig.joins(by("b"));
  rig.pass(6000);
  rig.answered();
  EXPECT_EQ(rig.join(back("a1")), "1 range consumer: a1 leads a1=x b1=x");
  EXPECT_EQ(rig.join(back("b1")), "1 range consumer: b1 follows a1");
  EXPECT_EQ(rig.state(), "CompletingRebalance");
}

TEST_P(ClassicJoin, ARejoinBeforeTheSyncWithOtherProtocolsBreaksItOff) {
  rig.joins(by("a"));
  rig.joins(by("b"));
  rig.pass(6000);
  rig.answered();
  EXPECT_EQ(rig.sync(syncs("b1", 1)), waits);
  EXPECT_EQ(rig.join(back("a1").offering({{"range", "other"}})), waits);
  EXPECT_THAT(rig.answered(), ElementsAre("sync b1: REBALANCE_IN_PROGRESS"));
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 follows a1");
}

TEST_P(ClassicJoin, AMemberThatSendsAnotherJoinWaitsForThatOne) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: REBALANCE_IN_PROGRESS a1"));
  rig.join(back("b1"));
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: 2 range consumer: a1 leads a1=x b1=x"));
}

TEST_P(ClassicJoin, AnUnknownMemberOfAKnownGroupIsRefused) {
  rig.join(by("a"));
  EXPECT_EQ(rig.join(by("b").as("stranger")), "UNKNOWN_MEMBER_ID stranger");
  rig.join(back("a1"));
  EXPECT_EQ(rig.join(by("b").as("stranger")), "UNKNOWN_MEMBER_ID stranger");
}

TEST_P(ClassicJoin, APendingIdThatComesWithAnInstanceIsAServerError) {
  rig.join(by("a"));
  EXPECT_EQ(rig.join(back("a1").with_instance("i")), "UNKNOWN_SERVER_ERROR ");
}

TEST_P(ClassicJoin, IdsOfOtherProtocolsAreInconsistent) {
  testing::FakeOwner other("share");
  other.state = "Empty";
  rig.own("g", other);
  EXPECT_EQ(rig.join(by("a").owned_by("share")), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_EQ(rig.join(by("a").as("m").owned_by("share")), "INCONSISTENT_GROUP_PROTOCOL ");
  rig.own_by_unknown("h");
  EXPECT_EQ(rig.join(by("a").in("h").owned_by("unknown")), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ClassicJoin, AnEmptyStreamsGroupTurnsClassic) {
  testing::FakeOwner streams("streams");
  streams.state = "Empty";
  streams.remove_writes = {{"streams", false, {0, 17, 0, 1, 'g'}, std::nullopt}};
  rig.own("g", streams);
  EXPECT_EQ(rig.join(by("a").as("m").owned_by("streams")), "UNKNOWN_MEMBER_ID m");
  EXPECT_THAT(streams.removed, IsEmpty());
  EXPECT_EQ(rig.join(by("a").owned_by("streams")), "MEMBER_ID_REQUIRED a1");
  EXPECT_THAT(streams.removed, ElementsAre("g"));
  EXPECT_EQ(rig.owner_of("g"), "classic");
}

TEST_P(ClassicJoin, AnEmptyConsumerGroupThatIsHandedOnTurnsClassic) {
  testing::FakeOwner consumer("consumer");
  consumer.state = "Empty";
  consumer.remove_writes = {{"consumer", false, {0, 3, 0, 1, 'g'}, std::nullopt}};
  rig.own("g", consumer);
  EXPECT_EQ(rig.join(by("a").as("m").owned_by("consumer")), "UNKNOWN_MEMBER_ID m");
  EXPECT_THAT(consumer.removed, IsEmpty());
  EXPECT_EQ(rig.join(by("a").owned_by("consumer")), "MEMBER_ID_REQUIRED a1");
  EXPECT_THAT(consumer.removed, ElementsAre("g"));
  EXPECT_EQ(rig.owner_of("g"), "classic");
}

TEST_P(ClassicJoin, AStreamsGroupWithMembersDoesNot) {
  testing::FakeOwner streams("streams");
  rig.own("g", streams);
  EXPECT_EQ(rig.join(by("a").owned_by("streams")), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_THAT(streams.removed, IsEmpty());
}

}  // namespace
}  // namespace muster::classic
