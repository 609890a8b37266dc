// A consumer group whose last member of the new protocol goes.
#include <gmock/gmock.h>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Downgrade : public ::testing::TestWithParam<Door> {
 protected:
  // m1 has foo:0,1 and c1 has foo:2,3, both at epoch 3.
  void SetUp() override {
    rig.open();
    start();
  }
  void start() {
    rig.topic("foo", 4);
    rig.beat(joins("m1", {"foo"}).with_instance("i1"));
    rig.pass(1000);
    rig.join(join_of("c1").with_protocols({"range", "cooperative"}));
    rig.beat(beats("m1", 2).with_instance("i1").owns("foo:0,1"));
    rig.join(join_of("c1").with_protocols({"range", "cooperative"}));
    ASSERT_EQ(rig.sync({"c1", 3}), "foo:2,3 v3");
  }
  void restart(const std::string& option, const std::string& value) {
    rig.close();
    rig.shard.stored.clear();
    rig.runs.clear();
    rig.options.set(option, value);
    rig.open();
    start();
  }
  void expect_classic() {
    EXPECT_EQ(rig.stored(), (Lines{"-8 c1", "-8 m1", "-7 c1", "-7 m1", "-6", "-5 c1", "-5 m1", "-4",
                                   "-3", "2 at 3 by range led by c1 c1[foo:2:3]"}));
    EXPECT_EQ(rig.owner_of("g"), "");
    EXPECT_THAT(rig.timers, IsEmpty());
    EXPECT_EQ(rig.all_stored().size(), 1U);
  }

  ClassicRig rig{GetParam(), false};
};
BOTH_DOORS(Downgrade);

TEST_P(Downgrade, FollowsWhenTheLastMemberOfTheNewProtocolLeaves) {
  const Answer answer = rig.beat(leaves("m1"));
  EXPECT_EQ(answer.error, 0);
  EXPECT_EQ(answer.epoch, -1);
  expect_classic();
}

TEST_P(Downgrade, FollowsWhenItsSessionExpires) {
  for (int i = 0; i < 9; ++i) {
    rig.pass(4999);
    ASSERT_EQ(rig.beat_of({"c1", 3}), 0);
  }
  rig.pass(4999);
  expect_classic();
}

TEST_P(Downgrade, FollowsWhenItDoesNotRevokeInTime) {
  rig.pass(1000);
  rig.send_join(join_of("c2"));
  rig.finish([](const muster_partition_assignor_view&) {
    return std::vector<std::uint32_t>{1, 2, 0, 0};  // of c1, c2 and m1
  });
  rig.beat(beats("m1", 3));  // must give one up, and has 5 s for that
  ASSERT_EQ(rig.timers.count("rebalance 1 g m1"), 1U);
  rig.sync({"c2", 4});
  rig.pass(5000);
  EXPECT_THAT(rig.stored().back(), HasSubstr("2 at 4 by range led by c1 c1["));
}

TEST_P(Downgrade, FollowsWhenItIsRemovedByLeaveGroup) {
  EXPECT_EQ(rig.leave({{"m1"}}), "0: m1 0");
  expect_classic();
}

TEST_P(Downgrade, FollowsWhenItIsRemovedWithSomeClassicMembers) {
  rig.join(join_of("c2"));
  EXPECT_EQ(rig.leave({{"c2"}, {"m1"}}), "0: c2 0, m1 0");
  EXPECT_THAT(rig.stored().back(), HasSubstr("2 at 4 by range led by c1 c1["));
}

// Nobody else may be given it if the group becomes a consumer group again before that is over.
TEST_P(Downgrade, EachHasWhatItHoldsUntilTheRebalanceThatFollowsIsOver) {
  rig.pass(1000);
  rig.send_join(join_of("c2"));
  rig.finish([](const muster_partition_assignor_view&) {
    return std::vector<std::uint32_t>{2, 2, 0, 1};  // of c1, c2 and m1
  });
  rig.beat(leaves("m1"));
  EXPECT_THAT(rig.stored().back(), HasSubstr("c1[foo:2:3] c2[]"));
}

TEST_P(Downgrade, DoesNotFollowWhileAnotherMemberOfTheNewProtocolStays) {
  rig.beat(joins("m2", {"foo"}));
  rig.beat(leaves("m1"));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  EXPECT_EQ(rig.stored().back(), "3 epoch 5");
}

TEST_P(Downgrade, DoesNotFollowWhenAStaticMemberLeavesForAWhile) {
  rig.beat(beats("m1", -2).with_instance("i1"));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
}

TEST_P(Downgrade, DoesNotFollowWhenAClassicMemberGoes) {
  rig.join(join_of("c2"));
  rig.leave({{"c2"}});
  EXPECT_EQ(rig.owner_of("g"), "consumer");
}

TEST_P(Downgrade, LeavesAnEmptyGroupAConsumerGroup) {
  rig.leave({{"c1"}, {"m1"}});
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_THAT(rig.stored(), Not(::testing::Contains(HasSubstr("2 at"))));
}

TEST_P(Downgrade, ThePolicyDecides) {
  for (const auto& [name, allowed] : std::map<std::string, bool>{
           {"bidirectional", true}, {"upgrade", false}, {"DOWNGRADE", true}}) {
    restart("group.consumer.migration.policy", name);
    rig.beat(leaves("m1"));
    EXPECT_EQ(rig.owner_of("g"), allowed ? "" : "consumer") << name;
    EXPECT_EQ(rig.stored().back() == "3 epoch 4", !allowed) << rig.stored().back();
  }
}

TEST_P(Downgrade, ADisabledPolicyTakesNoClassicMemberAtAll) {
  rig.close();
  rig.options.set("group.consumer.migration.policy", "disabled");
  rig.open();
  EXPECT_EQ(rig.join(join_of("c2")), "error 23");
  EXPECT_EQ(rig.join(join_of("c1")), "error 23");
  rig.beat(leaves("m1"));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
}

TEST_P(Downgrade, AGroupTooLargeForTheClassicProtocolStays) {
  restart("group.max.size", "1");
  rig.join(join_of("c2"));
  rig.beat(leaves("m1"));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
}

TEST_P(Downgrade, EachMemberVotesForItsFirstProtocolThatAllHave) {
  rig.join(join_of("c2").with_protocols({"sticky", "cooperative", "range"}));
  rig.join(join_of("c3").with_protocols({"cooperative"}));
  rig.beat(leaves("m1"));
  EXPECT_THAT(rig.stored().back(), HasSubstr("by cooperative led by c1"));
}

TEST_P(Downgrade, WhatWaitsForAnAssignorIsAnswered) {
  rig.pass(1000);
  ASSERT_EQ(rig.send_join(join_of("c2")), "");
  rig.leave({{"m1"}});
  ASSERT_THAT(rig.last.completions, SizeIs(1));
  rig.others = {rig.last.completions[0].body};
  EXPECT_EQ(rig.joined(), "error 27");
  // The assignor's result comes too late for anybody.
  EXPECT_THAT(rig.finish(), IsEmpty());
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(Downgrade, TimersThatFireLateFindNobody) {
  rig.beat(leaves("m1"));
  for (const char* key : {"session 1 g c1", "sync 1 g c1", "join 1 g c1", "rebalance 1 g m1"}) {
    EXPECT_THAT(rig.on_timer(key).writes, IsEmpty());
  }
}

class DowngradeByReplacement : public Downgrade {};
BOTH_DOORS(DowngradeByReplacement);

TEST_P(DowngradeByReplacement, WithAnUpToDateAssignmentNobodyIsToRebalance) {
  const std::string answer = rig.join(join_of("").with_instance("i1"));
  const std::string c2 = answer.substr(0, answer.find(' '));
  EXPECT_EQ(answer, c2 + " at 3 by range");
  EXPECT_THAT(rig.stored(), SizeIs(10));
  EXPECT_THAT(rig.stored().back(), HasSubstr("2 at 3 by range led by "));
  EXPECT_THAT(rig.stored().back(), HasSubstr(" since +1000 "));
  EXPECT_THAT(rig.stored().back(), HasSubstr(c2 + "[foo:0:1]"));
  EXPECT_THAT(rig.stored().back(), HasSubstr("c1[foo:2:3]"));
  EXPECT_EQ(rig.owner_of("g"), "");
  EXPECT_THAT(rig.timers, IsEmpty());
}

TEST_P(DowngradeByReplacement, WithAnotherSubscriptionTheyAreToRebalance) {
  rig.topic("bar", 1);
  const std::string answer = rig.join(join_of("").with_instance("i1").with_topics({"foo", "bar"}));
  EXPECT_THAT(answer, HasSubstr(" at 0 by range"));
  EXPECT_THAT(rig.stored().back(), HasSubstr("2 at 3 by range led by "));
  EXPECT_THAT(rig.stored().back(), Not(HasSubstr(" since ")));
}

TEST_P(DowngradeByReplacement, OfOneAmongSeveralKeepsTheConsumerGroup) {
  rig.beat(joins("m2", {"foo"}));
  EXPECT_THAT(rig.join(join_of("").with_instance("i1")), HasSubstr(" at 3 by range"));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  EXPECT_EQ(rig.state(), "Assigning");
}

TEST_P(DowngradeByReplacement, WhereThePolicyForbidsItTheGroupGoesOn) {
  restart("group.consumer.migration.policy", "upgrade");
  EXPECT_THAT(rig.join(join_of("").with_instance("i1")), HasSubstr(" at 3 by range"));
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  EXPECT_EQ(rig.state(), "Stable");
}

}  // namespace
}  // namespace muster::consumer
