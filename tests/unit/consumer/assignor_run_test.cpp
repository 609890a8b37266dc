// The assignor runs apart: who waits for it, and what becomes of late, wrong and missing results.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;

class ConsumerGroupAssignorRun : public ::testing::TestWithParam<Door> {
 protected:
  void open() {
    rig.open();
    rig.topic("foo", 4);
  }
  ConsumerRig rig{GetParam(), false};
};
BOTH_DOORS(ConsumerGroupAssignorRun);

TEST_P(ConsumerGroupAssignorRun, WhoHasWaitedLongEnoughGetsTheOldTarget) {
  open();
  rig.send(joins("m1", {"foo"}));
  EXPECT_EQ(rig.expire(), ok("m1", 1, ""));
  EXPECT_EQ(rig.stored(), (Lines{"8 m1 at 1 after 0 stable"}));
  // The late result is stored all the same; nobody waits for it.
  EXPECT_TRUE(rig.finish().empty());
  EXPECT_EQ(rig.stored(), (Lines{"7 m1 [foo:0,1,2,3]", "6 epoch 2 at +0"}));
  EXPECT_EQ(rig.beat(beats("m1", 1)), ok("m1", 2, "foo:0,1,2,3"));
}

TEST_P(ConsumerGroupAssignorRun, WithoutWaitingTheAnswerIsTheOldTargetAtOnce) {
  rig.options.set("assignor.wait.ms", "0");
  open();
  EXPECT_EQ(rig.send(joins("m1", {"foo"})), ok("m1", 1, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [foo]", "3 epoch 2", "8 m1 at 1 after 0 stable"}));
  ASSERT_EQ(rig.runs.size(), 1U);
  EXPECT_TRUE(rig.finish().empty());
  EXPECT_EQ(rig.send(beats("m1", 1)), ok("m1", 2, "foo:0,1,2,3"));
}

TEST_P(ConsumerGroupAssignorRun, OtherHeartbeatsMeanwhileGetTheOldTargetAtOnce) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.send(joins("m3", {"foo"})), ok("m3", 2, ""));
  EXPECT_THAT(rig.last.offloads, IsEmpty());
  EXPECT_EQ(rig.send(joins("m9", {}).in("h")), ok("m9", 1, ""));
  EXPECT_EQ(rig.runs.size(), 1U);
}

// Its client did not hear the answer to its first join and has sent it again.
TEST_P(ConsumerGroupAssignorRun, WhatAWaitingHeartbeatSaidItOwnsIsForgottenOnceALaterOneCame) {
  open();
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.send(joins("m2", {"foo"})), ok("m2", 2, ""));
  rig.pass(1000);
  EXPECT_EQ(rig.send(joins("m1", {"foo"})), std::nullopt);
  EXPECT_EQ(rig.send(joins("m1", {"foo"})), ok("m1", 2, "foo:0,1,2,3"));
  EXPECT_EQ(rig.finish(), (Answers{ok("m1", 2, "foo:0,1,2,3")}));
  EXPECT_EQ(rig.send(beats("m2", 2)), ok("m2", 3, std::nullopt)) << "m1 still has them";
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, "foo:0,1"));
  EXPECT_EQ(rig.send(beats("m1", 2).owns("foo:0,1")), ok("m1", 3, std::nullopt));
  EXPECT_EQ(rig.send(beats("m2", 3)), ok("m2", 3, "foo:2,3"));
}

TEST_P(ConsumerGroupAssignorRun, AResultOfAnEpochThatIsNotTheNewestAnyMoreIsUsed) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  rig.send(joins("m3", {"foo"}));
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 3, "")}));
  EXPECT_EQ(rig.stored(), (Lines{"7 m1 [foo:0,1]", "7 m2 [foo:2,3]", "6 epoch 3 at +1000",
                                 "8 m2 at 3 after 0 unreleased"}));
  EXPECT_EQ(rig.state(), "Assigning");
  // The next assignment waits for the interval.
  EXPECT_EQ(rig.send(beats("m3", 2)), ok("m3", 3, std::nullopt));
  rig.pass(1000);
  EXPECT_EQ(rig.beat(beats("m3", 3)), ok("m3", 4, std::nullopt));
}

TEST_P(ConsumerGroupAssignorRun, WithoutAnIntervalABumpAsksOnceMoreAndWaitsForThatRun) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(rig.send(joins("m3", {"foo"})), std::nullopt);
  ASSERT_EQ(rig.last.offloads.size(), 1U);
  EXPECT_EQ(rig.last.offloads[0].epoch, 4U);
  // No bump, so nothing new to ask for.
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 3, "")}));
  EXPECT_EQ(rig.finish(), (Answers{ok("m3", 4, "")}));
}

TEST_P(ConsumerGroupAssignorRun, AFailedRunLeavesTheLastGoodAssignment) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(rig.fail(), (Answers{ok("m2", 2, "")}));
  EXPECT_EQ(rig.stored(), (Lines{"8 m2 at 2 after 0 stable"}));
  EXPECT_EQ(rig.host.log_lines.back().first, MUSTER_LOG_ERROR);
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
  // Tried again by the next heartbeat after the interval.
  rig.pass(999);
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
  rig.pass(1);
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 2, "foo:0,1"));
}

TEST_P(ConsumerGroupAssignorRun, AFailedFirstRunLeavesTheGroupAtEpochOne) {
  open();
  rig.send(joins("m1", {"foo"}));
  EXPECT_EQ(rig.fail(), (Answers{ok("m1", 1, "")}));
  rig.pass(1000);
  EXPECT_EQ(rig.beat(beats("m1", 1)), ok("m1", 2, "foo:0,1,2,3"));
}

TEST_P(ConsumerGroupAssignorRun, AMemberThatHasLeftIsSkipped) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  rig.beat(leaves("m1"));
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 3, "foo:2,3")}));
  EXPECT_EQ(rig.stored(), (Lines{"7 m2 [foo:2,3]", "6 epoch 3 at +1000",
                                 "8 m2 at 3 after 0 stable foo:2@3,3@3"}));
}

TEST_P(ConsumerGroupAssignorRun, AMemberThatWasRemovedWhileItWaitedIsUnknown) {
  open();
  rig.send(joins("m1", {"foo"}));
  rig.beat(leaves("m1"));
  const auto answers = rig.finish();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].error, 25);
  EXPECT_EQ(answers[0].message, "Member m1 is not a member of group g.");
  // The group is empty and up to date; the result is older than that.
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.state(), "Empty");
}

TEST_P(ConsumerGroupAssignorRun, AReplacedStaticMemberPassesItsPartOn) {
  open();
  rig.beat(joins("m1", {"foo"}).with_instance("i1"));
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  rig.beat(beats("m1", -2).with_instance("i1"));
  EXPECT_EQ(rig.send(joins("m3", {"foo"}).with_instance("i1")), ok("m3", 2, "foo:0,1,2,3"));
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 3, "")}));
  EXPECT_EQ(rig.stored(), (Lines{"7 m3 [foo:0,1]", "7 m2 [foo:2,3]", "6 epoch 3 at +1000",
                                 "8 m2 at 3 after 0 unreleased"}));
}

TEST_P(ConsumerGroupAssignorRun, AStaticMemberThatLeftForAWhileIsNotBroughtBackByTheResult) {
  open();
  rig.send(joins("m1", {"foo"}).with_instance("i1"));
  rig.beat(beats("m1", -2).with_instance("i1"));
  EXPECT_EQ(rig.finish().at(0).error, 25);
  EXPECT_EQ(rig.stored(), (Lines{"7 m1 [foo:0,1,2,3]", "6 epoch 2 at +0"}));
}

TEST_P(ConsumerGroupAssignorRun, AHeartbeatThatCameLaterIsWhatCounts) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.topic("bar", 1);
  rig.send(beats("m1", 2).with_topics({"bar", "foo"}));
  rig.options.set("assignor.wait.ms", "250");
  // The same member again, say over another connection: answered with the old target.
  EXPECT_EQ(rig.send(joins("m1", {"bar", "foo"})), ok("m1", 2, "foo:0,1,2,3"));
  EXPECT_EQ(rig.finish(), (Answers{ok("m1", 2, "foo:0,1,2,3")}));
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 3, "bar:0 foo:0,1,2,3"));
}

TEST_P(ConsumerGroupAssignorRun, OnlyChangedTargetsAreWritten) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.pass(1000);
  rig.topic("bar", 1);
  rig.send(beats("m2", 3).with_topics({"foo", "nothing"}));
  rig.finish();
  EXPECT_EQ(rig.stored(), (Lines{"6 epoch 4 at +2000", "8 m2 at 4 after 3 unreleased"}));
}

TEST_P(ConsumerGroupAssignorRun, AResultForAGroupThatIsGoneIsDropped) {
  open();
  rig.send(joins("m1", {"foo"}));
  rig.beat(leaves("m1"));
  const testing::Outcome removed = rig.remove_group("g");
  EXPECT_EQ(rig.stored(removed), (Lines{"-6", "-4", "-3"}));
  EXPECT_EQ(rig.owner_of("g"), "");
  rig.parked.clear();  // the host has refused them
  EXPECT_TRUE(rig.finish().empty());
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ConsumerGroupAssignorRun, ARunWhoseEndWasNeverToldIsGivenUp) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  rig.expire();
  for (int i = 0; i < 6; ++i) {
    rig.pass(10'000);
    EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
    rig.send(beats("m2", 2));
  }
  rig.pass(1);
  EXPECT_EQ(rig.send(beats("m1", 2)), std::nullopt);
  EXPECT_EQ(rig.last.offloads.size(), 1U);
}

TEST_P(ConsumerGroupAssignorRun, AnAssignorThatIsNotConfiguredAnyMoreDoesNotVote) {
  open();
  rig.beat(joins("m1", {"foo"}).with_assignor("range"));
  rig.close();
  rig.options.set("group.consumer.assignors", "spread,uniform");
  rig.open();
  rig.pass(1000);
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(rig.last.offloads.at(0).kind, "muster.consumer.partition-assignor/1 spread");
}

TEST_P(ConsumerGroupAssignorRun, AfterAReloadTheNextHeartbeatAsksAnew) {
  open();
  rig.send(joins("m1", {"foo"}));
  rig.reload();
  rig.runs.clear();
  rig.parked.clear();
  EXPECT_EQ(rig.beat(joins("m1", {"foo"})), ok("m1", 2, "foo:0,1,2,3"));
}

TEST_P(ConsumerGroupAssignorRun, AResultForAFormerGroupOfThatNameIsDropped) {
  open();
  rig.send(joins("m1", {"foo"}));
  rig.beat(leaves("m1"));
  rig.remove_group("g");
  rig.parked.clear();  // the host has refused them
  rig.send(joins("m2", {"foo"}));
  // Of the same epoch as the run that the new group waits for, but it knows nothing of m2.
  EXPECT_TRUE(rig.finish().empty());
  EXPECT_EQ(rig.stored(), Lines{});
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 2, "foo:0,1,2,3")}));
}

}  // namespace
}  // namespace muster::consumer
