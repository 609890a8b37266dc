// Sessions, loading, and groups that become empty.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ConsumerGroupTimers : public ::testing::TestWithParam<Door> {
 protected:
  void open() {
    rig.open();
    rig.topic("foo", 2);
  }
  ConsumerRig rig{GetParam(), false};
};
BOTH_DOORS(ConsumerGroupTimers);

TEST_P(ConsumerGroupTimers, ASilentMemberIsRemovedAndTheGroupBumped) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.pass(43'999);
  rig.beat(beats("m2", 3));
  EXPECT_EQ(rig.stored(), (Lines{"8 m2 at 3 after 3 unreleased"}));
  rig.pass(1);
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 4"}));
  EXPECT_EQ(rig.beat(beats("m2", 3)), ok("m2", 4, "foo:0,1"));
}

TEST_P(ConsumerGroupTimers, EachHeartbeatRenewsTheSession) {
  open();
  rig.beat(joins("m1", {"foo"}));
  for (int i = 0; i < 10; ++i) {
    rig.pass(44'999);
    EXPECT_THAT(rig.last.writes, IsEmpty());
    EXPECT_EQ(rig.beat(beats("m1", 2)).error, 0);
  }
}

TEST_P(ConsumerGroupTimers, ARefusedHeartbeatDoesNotRenewTheSession) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(44'000);
  EXPECT_EQ(rig.send(beats("m1", 9))->error, 110);
  rig.pass(1000);
  EXPECT_EQ(rig.state(), "Empty");
}

TEST_P(ConsumerGroupTimers, TheSessionTimeoutIsTheGroupsOwn) {
  rig.options.set("consumer.session.timeout.ms", "60000", "g");
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(59'999);
  EXPECT_EQ(rig.state(), "Stable");
  rig.pass(1);
  EXPECT_EQ(rig.state(), "Empty");
}

TEST_P(ConsumerGroupTimers, TheLastMemberThatGoesLeavesAnAssignmentThatIsUpToDate) {
  open();
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(rig.beat(leaves("m1")).epoch, -1);
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 3", "6 epoch 3 at 0"}));
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.timers.size(), 0U);
  rig.reload();
  EXPECT_EQ(rig.state(), "Empty");
}

TEST_P(ConsumerGroupTimers, TheNextJoinAfterTheLastLeaveIsAssignedAtOnce) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.beat(leaves("m1"));
  EXPECT_EQ(rig.beat(joins("m2", {"foo"})), ok("m2", 4, "foo:0,1"));
}

TEST_P(ConsumerGroupTimers, MembersFencedOneByOneLeaveTheSame) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.pass(45'000);
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.all_stored(), (Lines{"3 epoch 5", "6 epoch 5 at 0"}));
}

TEST_P(ConsumerGroupTimers, OneOfSeveralLeavingBumpsWithoutTouchingTheTarget) {
  open();
  rig.beat(joins("m1", {"foo"}));
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.beat(leaves("m2"));
  EXPECT_EQ(rig.stored(), (Lines{"-8 m2", "-7 m2", "-5 m2", "3 epoch 4"}));
}

TEST_P(ConsumerGroupTimers, AfterALoadSessionsAndRebalancesStartFromFullLength) {
  open();
  rig.beat(joins("m1", {"foo"}).with_timeout(9000));
  rig.pass(1000);
  rig.beat(joins("m2", {"foo"}));
  rig.beat(beats("m1", 2));
  rig.pass(4000);
  rig.reload();
  EXPECT_THAT(rig.loaded.records(), IsEmpty());
  const std::int64_t now = rig.host.now_ms;
  EXPECT_THAT(rig.timers, ElementsAre(std::pair("rebalance 1 g m1", now + 9000),
                                      std::pair("session 1 g m1", now + 45'000),
                                      std::pair("session 1 g m2", now + 45'000)));
}

TEST_P(ConsumerGroupTimers, TimersOfMembersThatAreGoneDoNothing) {
  open();
  rig.beat(joins("m1", {"foo"}));
  const auto late = rig.on_timer("session 1 g m9");
  EXPECT_EQ(late.code, MUSTER_OK);
  EXPECT_THAT(late.writes, IsEmpty());
  EXPECT_THAT(rig.on_timer("session 2 gg m1").writes, IsEmpty());
  EXPECT_THAT(rig.on_timer("rebalance 1 g m1").writes, IsEmpty());
}

TEST_P(ConsumerGroupTimers, ForeignTimersAreRefused) {
  open();
  for (const char* key : {"", "session", "session x g m1", "session 9 g m1", "other 1 g m1"}) {
    EXPECT_EQ(rig.on_timer(key).code, MUSTER_INVALID_ARGUMENT) << key;
  }
}

TEST_P(ConsumerGroupTimers, IdsWithBlanksAndDigitsAreKeptApart) {
  open();
  rig.beat(joins("m 1", {"foo"}).in("g 2 x"));
  rig.beat(joins("x m 1", {"foo"}).in("g 2"));
  rig.pass(45'000);
  EXPECT_EQ(rig.state("g 2 x"), "Empty");
  EXPECT_EQ(rig.state("g 2"), "Empty");
}

}  // namespace
}  // namespace muster::consumer
