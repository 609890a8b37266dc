// JoinGroup of classic members in a consumer group.
#include <gmock/gmock.h>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

class ClassicMemberJoins : public ::testing::TestWithParam<Door> {
 protected:
  // m1 has all of foo at epoch 2.
  void SetUp() override {
    rig.open();
    rig.topic("foo", 4);
    rig.beat(joins("m1", {"foo"}));
    rig.pass(1000);
  }
  void expect_refused(const Join& join, const std::string& answer) {
    const Lines before = rig.all_stored();
    EXPECT_EQ(rig.join(join), answer);
    EXPECT_THAT(rig.last.writes, IsEmpty());
    EXPECT_THAT(rig.last.timers, IsEmpty());
    EXPECT_EQ(rig.all_stored(), before);
  }

  ClassicRig rig{GetParam(), false};
};
BOTH_DOORS(ClassicMemberJoins);

TEST_P(ClassicMemberJoins, WhoWasRemovedAndStillOwnsSomethingIsUnknown) {
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.join(join_of("c1").owning("foo:0")), "error 25 c1");
  EXPECT_EQ(rig.join(join_of("c1")), "c1 at 3 by range");
}

TEST_P(ClassicMemberJoins, ItIsAssignedByTheServerAndHasNoLeader) {
  EXPECT_EQ(rig.send_join(join_of("c1").with_protocols({"range", "cooperative"})), "");
  EXPECT_EQ(rig.stored(), (Lines{"5 c1 [foo] classic", "3 epoch 3"}));
  rig.finish();
  EXPECT_EQ(rig.stored(), (Lines{"7 c1 [foo:2,3]", "7 m1 [foo:0,1]", "6 epoch 3 at +1000",
                                 "8 c1 at 3 after 0 unreleased"}));
  EXPECT_EQ(rig.joined(), "c1 at 3 by range");
  EXPECT_EQ(rig.state(), "Reconciling");
}

TEST_P(ClassicMemberJoins, AMissingIdIsAskedForAndLeavesNoTrace) {
  const std::string answer = rig.join(join_of("").with_version(4));
  EXPECT_THAT(answer, StartsWith("error 79 "));
  EXPECT_EQ(answer.size(), 9U + 22U);  // a uuid as Kafka writes one
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_THAT(rig.last.timers, IsEmpty());
  EXPECT_NE(rig.join(join_of("")), answer);
  const std::string id = answer.substr(9);
  EXPECT_EQ(rig.join(join_of(id)), id + " at 3 by range");
}

TEST_P(ClassicMemberJoins, BeforeVersionFourAMissingIdIsMadeAtOnce) {
  const std::string answer = rig.send_join(join_of("").with_version(3));
  EXPECT_EQ(answer, "");
  rig.finish();
  EXPECT_THAT(rig.stored().at(0), StartsWith("7 "));
}

TEST_P(ClassicMemberJoins, InVersionZeroTheRebalanceTimeoutIsTheSessions) {
  EXPECT_EQ(rig.send_join(join_of("c1").with_version(0)), "");
  EXPECT_EQ(rig.stored().at(0), "5 c1 [foo] timeout=10000 classic");
}

TEST_P(ClassicMemberJoins, TheProtocolMustBeOneThatAllClassicMembersKnow) {
  Join join = join_of("c1").with_protocols({"range", "cooperative"});
  rig.join(join);
  expect_refused(join_of("c2").with_protocols({"sticky"}), "error 23");
  expect_refused(join_of("c2").with_protocols({}), "error 23");
  join.protocol_type = "connect";
  expect_refused(join, "error 23");
  EXPECT_EQ(rig.join(join_of("c2").with_protocols({"sticky", "cooperative"})), "c2 at 3 by sticky");
}

TEST_P(ClassicMemberJoins, UnreadableMetadataIsAnInconsistentProtocol) {
  Join join = join_of("c1");
  for (const std::string& bytes : {std::string(), std::string("\0\3\0\0", 4)}) {
    join.metadata = bytes;
    expect_refused(join, "error 23");
  }
}

TEST_P(ClassicMemberJoins, MetadataOfANewerVersionIsReadAsFarAsItIsKnown) {
  Join join = join_of("c1");
  join.subscription_version = 9;
  EXPECT_EQ(rig.join(join), "c1 at 3 by range");
}

TEST_P(ClassicMemberJoins, ItsRackIsKept) {
  Join join = join_of("c1");
  join.rack = "r1";
  rig.send_join(join);
  EXPECT_EQ(rig.stored().at(0), "5 c1 [foo] rack=r1 classic");
}

TEST_P(ClassicMemberJoins, ASessionTimeoutOutsideTheBoundsIsRefused) {
  Join join = join_of("c1");
  join.session_timeout_ms = 5999;
  expect_refused(join, "error 26 c1");
  join.session_timeout_ms = 1800001;
  expect_refused(join, "error 26 c1");
}

TEST_P(ClassicMemberJoins, WithoutReadOnTheGroupItIsNotAuthorised) {
  rig.deny(3, 3, "g");
  EXPECT_EQ(rig.join(join_of("c1")), "error 30");
}

TEST_P(ClassicMemberJoins, RejoiningUnchangedGivesTheSameAnswerAndStoresNothing) {
  rig.join(join_of("c1"));
  EXPECT_EQ(rig.join(join_of("c1")), "c1 at 3 by range");
  EXPECT_EQ(rig.stored(), (Lines{"8 c1 at 3 after 3 unreleased"}));
  EXPECT_EQ(rig.join(join_of("c1")), "c1 at 3 by range");
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ClassicMemberJoins, AChangedSubscriptionBumpsTheEpoch) {
  rig.topic("bar", 1);
  rig.join(join_of("c1"));
  rig.pass(1000);
  EXPECT_EQ(rig.join(join_of("c1").with_topics({"foo", "bar"})), "c1 at 4 by range");
}

TEST_P(ClassicMemberJoins, WithinTheAssignmentIntervalItGetsTheOldEpoch) {
  rig.join(join_of("c1"));
  EXPECT_EQ(rig.join(join_of("c2")), "c2 at 3 by range");
  EXPECT_EQ(rig.sync({"c2", 3}), "v3");
  EXPECT_EQ(rig.state(), "Assigning");
}

TEST_P(ClassicMemberJoins, OneThatWaitsForASlowAssignorGetsTheOldEpoch) {
  EXPECT_EQ(rig.send_join(join_of("c1")), "");
  const std::uint64_t token = rig.last.parks.front().token;
  rig.last = rig.on_expired(token);
  ASSERT_EQ(rig.last.completions.size(), 1U);
  EXPECT_EQ(rig.stored(), (Lines{"8 c1 at 2 after 0 stable"}));
  EXPECT_EQ(rig.beat_of({"c1", 2}), 0);
  rig.finish();
  EXPECT_EQ(rig.beat_of({"c1", 2}), 27);
}

TEST_P(ClassicMemberJoins, AMemberOfTheNewProtocolMayTurnClassicUnderItsId) {
  rig.beat(joins("m2", {"foo"}));
  EXPECT_EQ(rig.join(join_of("m2")), "m2 at 3 by range");
  EXPECT_EQ(rig.stored(), (Lines{"5 m2 [foo] classic", "8 m2 at 3 after 3 unreleased"}));
}

TEST_P(ClassicMemberJoins, AClassicMemberMayTurnToTheNewProtocolUnderItsId) {
  rig.join(join_of("c1"));
  EXPECT_EQ(rig.beat(joins("c1", {"foo"})), ok("c1", 3, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 c1 [foo]", "8 c1 at 3 after 3 unreleased"}));
  EXPECT_EQ(rig.timers.count("sync 1 g c1"), 0U);
  EXPECT_EQ(rig.timers.at("session 1 g c1"), rig.host.now_ms + 45000);
  EXPECT_EQ(rig.sync({"c1", 3}), "error 25");
  EXPECT_EQ(rig.beat_of({"c1", 3}), 25);
}

TEST_P(ClassicMemberJoins, AFullGroupTakesNoNewOne) {
  rig.close();
  rig.options.set("group.consumer.max.size", "2");
  rig.open();
  rig.join(join_of("c1").with_instance("i1").with_version(9));
  rig.join(join_of("").with_instance("i1"));
  expect_refused(join_of("c2"), "error 81");
  expect_refused(join_of(""), "error 81");
  EXPECT_THAT(rig.join(join_of("").with_instance("i1")), ::testing::HasSubstr(" at 3 by range"));
}

TEST_P(ClassicMemberJoins, AnEmptyGroupIsLeftToTheClassicProtocol) {
  rig.beat(leaves("m1"));
  const Lines before = rig.all_stored();
  EXPECT_EQ(rig.join(join_of("")), "handed on");
  EXPECT_EQ(rig.join(join_of("c1")), "handed on");
  EXPECT_EQ(rig.all_stored(), before);
  // And what it then asks of this group's owner.
  rig.remove_group("g");
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(ClassicMemberJoins, WhereNobodyOwnsTheGroupItIsRefusedForWantOfAClassicProtocol) {
  Join join = join_of("c1");
  join.group = "other";
  expect_refused(join, "error 23");
}

class StaticClassicMember : public ClassicMemberJoins {
 protected:
  // c1 has the instance i1 and foo:2,3 at epoch 3.
  void SetUp() override {
    ClassicMemberJoins::SetUp();
    const std::string answer = rig.join(join_of("").with_instance("i1"));
    c1 = answer.substr(0, answer.find(' '));
    rig.beat(beats("m1", 2).owns("foo:0,1"));
    rig.join(join_of(c1).with_instance("i1"));
    ASSERT_EQ(rig.sync(Of(c1, 3).with_instance("i1")), "foo:2,3 v3");
  }
  std::string c1;
};
BOTH_DOORS(StaticClassicMember);

TEST_P(StaticClassicMember, ComesBackWithoutItsIdAndKeepsItsPartitions) {
  const std::string answer = rig.join(join_of("").with_instance("i1").owning("foo:2,3"));
  const std::string c2 = answer.substr(0, answer.find(' '));
  EXPECT_NE(c2, c1);
  EXPECT_EQ(answer, c2 + " at 3 by range");
  EXPECT_EQ(rig.stored(),
            (Lines{"-8 " + c1, "-7 " + c1, "-5 " + c1, "5 " + c2 + " [foo] instance=i1 classic",
                   "7 " + c2 + " [foo:2,3]", "8 " + c2 + " at 0 after 0 stable foo:2@3,3@3",
                   "5 " + c2 + " [foo] instance=i1 classic",
                   "8 " + c2 + " at 3 after 0 stable foo:2@3,3@3"}));
  EXPECT_EQ(rig.timers.count("session 1 g " + c1), 0U);
  EXPECT_EQ(rig.sync(Of(c2, 3).with_instance("i1")), "foo:2,3 v3");
}

TEST_P(StaticClassicMember, ItsFormerIdIsFenced) {
  rig.join(join_of("").with_instance("i1"));
  expect_refused(join_of(c1).with_instance("i1"), "error 82");
  EXPECT_EQ(rig.sync(Of(c1, 3).with_instance("i1")), "error 82");
  EXPECT_EQ(rig.beat_of(Of(c1, 3).with_instance("i1")), 82);
  EXPECT_EQ(rig.leave({Of(c1).with_instance("i1")}), "0: " + c1 + " 82");
}

TEST_P(StaticClassicMember, AnInstanceThatNobodyHasIsUnknown) {
  expect_refused(join_of("c9").with_instance("i9"), "error 25");
  EXPECT_EQ(rig.sync(Of(c1, 3).with_instance("i9")), "error 25");
  EXPECT_EQ(rig.beat_of(Of(c1, 3).with_instance("i9")), 25);
  EXPECT_EQ(rig.leave({Of("").with_instance("i9")}), "0:  25");
}

TEST_P(StaticClassicMember, IsReplacedByOneOfTheNewProtocolWithoutALeave) {
  EXPECT_EQ(rig.beat(joins("m2", {"foo"}).with_instance("i1")), ok("m2", 3, "foo:2,3"));
  EXPECT_EQ(rig.all_stored().size(), 8U);
  EXPECT_EQ(rig.timers.count("session 1 g " + c1), 0U);
  EXPECT_EQ(rig.timers.count("sync 1 g " + c1), 0U);
}

}  // namespace
}  // namespace muster::consumer
