// group.max.size in each state.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class ClassicSize : public ::testing::TestWithParam<Door> {
 protected:
  ClassicSize() {
    rig.options.set("group.max.size", "2");
    rig.open();
  }
  ClassicRig rig{GetParam(), false};
};
BOTH_DOORS(ClassicSize);

constexpr std::string_view refused = "GROUP_MAX_SIZE_REACHED ";

TEST_P(ClassicSize, TheThirdIsRefusedInTheFirstJoinPhase) {
  rig.joins(by("a"));
  rig.joins(by("b"));
  EXPECT_EQ(rig.join(by("c")), refused);
  rig.pass(6000);
  EXPECT_THAT(rig.answered(), SizeIs(2));
}

TEST_P(ClassicSize, TheThirdIsRefusedBeforeTheSync) {
  rig.joins(by("a"));
  rig.joins(by("b"));
  rig.pass(6000);
  EXPECT_EQ(rig.join(by("c")), refused);
  EXPECT_EQ(rig.join(back("b1")), "1 range consumer: b1 follows a1");
}

TEST_P(ClassicSize, TheThirdIsRefusedInAStableGroup) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(by("c").with_instance("i")), refused);
  EXPECT_EQ(rig.join(back("b1")), "1 range consumer: b1 follows a1");
  EXPECT_EQ(rig.state(), "Stable");
}

TEST_P(ClassicSize, AKnownMemberMayRejoinInALaterJoinPhase) {
  rig.stable({by("a"), by("b")});
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 follows a1");
}

TEST_P(ClassicSize, APendingMemberIsNotCountedButComesTooLate) {
  rig.join(by("a"));
  rig.join(by("b"));
  rig.join(by("c"));
  rig.join(back("a1"));
  rig.join(back("b1"));
  EXPECT_EQ(rig.join(back("c1")), refused);
  rig.pass(6000);
  EXPECT_EQ(rig.join(back("c1")), refused);
}

// Stored when the option was larger.
class ClassicOversized : public ::testing::TestWithParam<Door> {
 protected:
  ClassicOversized() {
    rig.options.set("group.max.size", "2");
    ClassicRig before(GetParam());
    before.stable({by("a").with_session(600'000), by("b"), by("c")});
    for (const auto& [key, kept] : before.shard.stored) rig.store(key, kept.second);
    for (const char* alias : {"a1", "b1", "c1"}) rig.alias_of(before.id_of(alias));
    rig.open();
  }
  ClassicRig rig{GetParam(), false};
};
BOTH_DOORS(ClassicOversized);

TEST_P(ClassicOversized, IsRebalancedOnLoadAndTheLateOnesAreRefused) {
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("b1")), waits);
  EXPECT_EQ(rig.join(back("c1")), waits);
  EXPECT_EQ(rig.join(back("a1").with_session(600'000)), refused);
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 2 range consumer: b1 leads b1=x c1=x",
                                          "join c1: 2 range consumer: c1 follows b1"));
}

}  // namespace
}  // namespace muster::classic
