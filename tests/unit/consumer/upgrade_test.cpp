// A classic group that a member of the new protocol joins.
#include <gmock/gmock.h>
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class Upgrade : public ::testing::TestWithParam<Door> {
 protected:
  void SetUp() override {
    rig.open();
    rig.topic("foo", 4);
  }
  void policy(const std::string& name) {
    rig.close();
    rig.options.set("group.consumer.migration.policy", name);
    rig.open();
  }
  void expect_refused(const std::string& why) {
    const Answer answer = rig.upgrade(joins("m1", {"foo"}));
    EXPECT_EQ(answer.error, 69);
    EXPECT_EQ(answer.message, "Cannot upgrade classic group g to consumer group because " + why);
    EXPECT_THAT(rig.last.writes, IsEmpty());
    EXPECT_EQ(rig.owner_of("g"), "classic");
  }

  ClassicRig rig{GetParam(), false};
};
BOTH_DOORS(Upgrade);

TEST_P(Upgrade, TakesTheMembersOverAndThenTheJoinerInOneBatch) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}, {"c2", "foo:2,3"}});
  Beat join = joins("m1", {"foo"});
  join.owner = "classic";
  EXPECT_EQ(rig.send(join), std::nullopt);
  EXPECT_EQ(rig.stored(),
            (Lines{"-2", "5 c1 [foo] classic", "5 c2 [foo] classic", "3 epoch 7", "7 c1 [foo:0,1]",
                   "7 c2 [foo:2,3]", "6 epoch 7 at 0", "8 c1 at 7 after 7 stable foo:0@7,1@7",
                   "8 c2 at 7 after 7 stable foo:2@7,3@7", "5 m1 [foo]", "3 epoch 8"}));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  const Answers answers = rig.finish();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0], ok("m1", 8, ""));
  EXPECT_EQ(rig.state(), "Reconciling");
  rig.reload();
}

// In the middle of a rebalance nothing is assigned, and cooperative members go on.
TEST_P(Upgrade, WhatAMemberSaidItOwnsNobodyElseGetsBeforeItIsGivenUp) {
  rig.own_by_classic(7, {{"c1", "none", {"foo"}, {}, "", "foo:0,1,2,3", 6}});
  EXPECT_EQ(rig.upgrade(joins("m1", {"foo"})), ok("m1", 8, ""));
  EXPECT_EQ(rig.join(join_of("c1").owning("foo:0,1,2,3")), "c1 at 7 by range");
  EXPECT_EQ(rig.sync({"c1", 7}), "foo:0,2 v3");
  EXPECT_EQ(rig.beat(beats("m1", 8)), ok("m1", 8, std::nullopt));
  EXPECT_EQ(rig.join(join_of("c1").owning("foo:0,2")), "c1 at 8 by range");
  EXPECT_EQ(rig.beat(beats("m1", 8)), ok("m1", 8, "foo:1,3"));
}

TEST_P(Upgrade, WhatIsAssignedWaitsUntilWhoOwnedItLatelyHasGivenItUp) {
  rig.own_by_classic(7, {{"c1", "foo:0,1", {"foo"}, {}, "", "foo:0,1,2", 6},
                         {"c2", "foo:2,3", {"foo"}, {}, "", "foo:3", 6}});
  Beat join = joins("m1", {"foo"});
  join.owner = "classic";
  rig.send(join);
  EXPECT_THAT(rig.stored(), ::testing::IsSupersetOf({"8 c1 at 7 after 7 stable foo:0@7,1@7,2@7",
                                                     "8 c2 at 7 after 7 stable foo:3@7"}));
}

TEST_P(Upgrade, WhatAMemberOwnedLongAgoIsNotItsOwnAnyMore) {
  rig.own_by_classic(7, {{"c1", "foo:0,1", {"foo"}, {}, "", "foo:2", 5}, {"c2", "foo:2,3"}});
  Beat join = joins("m1", {"foo"});
  join.owner = "classic";
  rig.send(join);
  EXPECT_THAT(rig.stored(), ::testing::Contains("8 c2 at 7 after 7 stable foo:2@7,3@7"));
}

// By itself a member that takes another's place changes no epoch.
TEST_P(Upgrade, WhatARebalanceHasNotAssignedYetIsAssigned) {
  rig.own_by_classic(7, {{"c1", "foo:0", {"foo"}, "i"}, {"c2", "foo:1"}});
  Beat join = joins("m1", {"foo"});
  join.instance = "i";
  EXPECT_EQ(rig.upgrade(join).epoch, 8);
}

TEST_P(Upgrade, WhatATopicThatIsGoneLeavesUnevenIsAssignedAnew) {
  rig.own_by_classic(7, {{"c1", "foo:0,1,2,3 gone:0", {"foo"}}, {"c2", "none", {"foo"}, "i"}});
  Beat join = joins("m1", {"foo"});
  join.instance = "i";
  EXPECT_EQ(rig.upgrade(join).epoch, 8);
}

TEST_P(Upgrade, ItsMembersSessionsAreTheirOwn) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  rig.upgrade(joins("m1", {"foo"}));
  rig.on_owner("g", true);
  EXPECT_EQ(rig.timers.at("session 1 g c1"), rig.host.now_ms + 10000);
  EXPECT_EQ(rig.timers.at("session 1 g m1"), rig.host.now_ms + 45000);
}

TEST_P(Upgrade, ItsMembersGoOnAndAreToldToRejoin) {
  rig.own_by_classic(7, {{"c1", "foo:0,1,2,3"}});
  rig.upgrade(joins("m1", {"foo"}));
  EXPECT_EQ(rig.beat_of({"c1", 7}), 27);
  EXPECT_EQ(rig.join(join_of("c1")), "c1 at 8 by range");
  EXPECT_EQ(rig.sync({"c1", 8}), "foo:0,1 v3");
  EXPECT_EQ(rig.beat(beats("m1", 8)), ok("m1", 8, "foo:2,3"));
}

TEST_P(Upgrade, CallsThatWaitInTheClassicGroupAreToldToRejoin) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  rig.classic.export_completions = {{41, {1, 2}}, {42, {3}}};
  Beat join = joins("m1", {"foo"});
  join.owner = "classic";
  rig.ask(rig.spec_of(join));
  ASSERT_THAT(rig.last.completions, SizeIs(2));
  EXPECT_EQ(rig.last.completions[0].token, 41U);
}

TEST_P(Upgrade, OneThatTurnsOutImpossibleTellsThemToo) {
  rig.own_by_classic(7, {{"c1", "foo:0,1", {"foo"}, {}, "mine"}});
  rig.classic.export_completions = {{41, {1, 2}}};
  Beat join = joins("m1", {"foo"});
  join.owner = "classic";
  rig.ask(rig.spec_of(join));
  EXPECT_THAT(rig.last.completions, SizeIs(1));
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(Upgrade, ACustomAssignorsDataIsNotThrownAway) {
  rig.own_by_classic(7, {{"c1", "foo:0,1", {"foo"}, {}, "mine"}});
  expect_refused(
      "an unsupported custom assignor is in use. Please refer to the documentation or "
      "switch to a default assignor before re-attempting the upgrade.");
}

TEST_P(Upgrade, UnreadableMetadataIsMalformed) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  for (auto& [key, value] : rig.classic.export_writes) {
    if (key.size() == 5) value[value.size() - 4] = 0;  // the size of the assignment's user data
  }
  expect_refused("the embedded consumer protocol is malformed.");
}

TEST_P(Upgrade, APartitionThatNoTopicCanHaveIsMalformed) {
  rig.own_by_classic(7, {{"c1", "foo:0,-1"}});
  expect_refused("the embedded consumer protocol is malformed.");
  rig.own_by_classic(7, {{"c1", "foo:16777216"}});
  expect_refused("the embedded consumer protocol is malformed.");
}

TEST_P(Upgrade, APartitionInTwoHandsIsNotTakenOver) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}, {"c2", "foo:1,2"}});
  expect_refused("two members have the same partition assigned.");
}

TEST_P(Upgrade, AGroupOfAnotherKindOfClientIsNotConverted) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  rig.classic.protocol_type = "connect";
  expect_refused("the group does not use the consumer embedded protocol.");
}

TEST_P(Upgrade, AGroupThatIsTooLargeIsNotConverted) {
  rig.close();
  rig.options.set("group.consumer.max.size", "1");
  rig.open();
  rig.own_by_classic(7, {{"c1", "foo:0,1"}, {"c2", "foo:2,3"}});
  expect_refused("the group size exceeds the consumer group maximum size.");
  // One more would make it so.
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  EXPECT_EQ(rig.upgrade(joins("m1", {"foo"})).error, 81);
  EXPECT_EQ(rig.owner_of("g"), "classic");
}

TEST_P(Upgrade, ThePolicyDecides) {
  for (const auto& [name, allowed] : std::map<std::string, bool>{
           {"bidirectional", true}, {"UPGRADE", true}, {"downgrade", false}, {"Disabled", false}}) {
    policy(name);
    rig.own_by_classic(7, {{"c1", "foo:0,1"}});
    if (allowed) {
      EXPECT_EQ(rig.upgrade(joins("m1", {"foo"})).error, 0) << name;
      rig.leave({{"c1"}, {"m1"}});
      rig.remove_group("g");
    } else {
      expect_refused("online upgrade is disabled.");
    }
  }
}

TEST_P(Upgrade, OnlyAJoinUpgrades) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  for (Beat beat : {beats("c1", 7), leaves("c1")}) {
    beat.owner = "classic";
    const auto answer = rig.send(beat);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->error, 69);
    EXPECT_EQ(answer->message, "Group g is not a consumer group.");
  }
  EXPECT_EQ(rig.owner_of("g"), "classic");
}

TEST_P(Upgrade, AJoinThatIsRefusedForItsOwnSakeUpgradesNothing) {
  rig.own_by_classic(7, {{"c1", "foo:0,1"}});
  EXPECT_EQ(rig.upgrade(joins_regex("m1", "(")).error, 128);
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_EQ(rig.owner_of("g"), "classic");
}

TEST_P(Upgrade, AMemberThatHasNeverSyncedHasNothing) {
  rig.own_by_classic(7, {{"c1", "none"}, {"c2", "foo:0,1,2,3"}});
  rig.upgrade(joins("m1", {"foo"}));
  EXPECT_EQ(rig.join(join_of("c1")), "c1 at 8 by range");
}

TEST_P(Upgrade, AClassicMemberUnderItsOwnIdTurnsToTheNewProtocolByJoining) {
  rig.own_by_classic(7, {{"c1", "foo:0,1,2,3"}});
  EXPECT_EQ(rig.upgrade(joins("c1", {"foo"})), ok("c1", 7, "foo:0,1,2,3"));
  EXPECT_EQ(rig.stored().back(), "5 c1 [foo]");
}

TEST_P(Upgrade, AStaticMemberComesBackWithTheNewProtocolAndKeepsItsPartitions) {
  rig.own_by_classic(7, {{"c1", "foo:0,1", {"foo"}, "i1"}, {"c2", "foo:2,3"}});
  EXPECT_EQ(rig.upgrade(joins("m1", {"foo"}).with_instance("i1")), ok("m1", 7, "foo:0,1"));
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(Upgrade, AnEmptyClassicGroupIsReplacedWhateverThePolicy) {
  for (const std::string name : {"bidirectional", "upgrade", "downgrade", "disabled"}) {
    policy(name);
    rig.own_by_classic(3, {});
    rig.classic.state = "Empty";
    EXPECT_EQ(rig.upgrade(joins("m1", {"foo"})), ok("m1", 2, "foo:0,1,2,3")) << name;
    EXPECT_THAT(rig.classic.removed, SizeIs(1));
    EXPECT_EQ(rig.owner_of("g"), "consumer");
    rig.beat(leaves("m1"));
    rig.remove_group("g");
    rig.classic.removed.clear();
  }
}

TEST_P(Upgrade, ARefusedJoinLeavesAnEmptyClassicGroupAsItIs) {
  rig.own_by_classic(3, {});
  rig.classic.state = "Empty";
  EXPECT_EQ(rig.upgrade(joins_regex("m1", "(")).error, 128);
  EXPECT_THAT(rig.classic.removed, IsEmpty());
  EXPECT_EQ(rig.owner_of("g"), "classic");
}

TEST_P(Upgrade, AGroupOfAnotherProtocolIsNeverConvertedNotEvenAnEmptyOne) {
  testing::FakeOwner share{"share"};
  share.state = "Empty";
  rig.own("g", share);
  Beat join = joins("m1", {"foo"});
  join.owner = "share";
  const auto answer = rig.send(join);
  EXPECT_EQ(answer->error, 69);
  EXPECT_EQ(answer->message, "Group g is not a consumer group.");
  rig.own_by_unknown("g");
  EXPECT_EQ(rig.send(join)->error, 69);
}

}  // namespace
}  // namespace muster::consumer
