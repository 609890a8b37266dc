// Who may commit and fetch offsets of a classic group, and what that renews.
#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int16_t offset_commit = 8;
constexpr std::int16_t txn_offset_commit = 28;

struct Committing {
  std::string member;
  std::int32_t epoch = -1;
  std::optional<std::string> instance = std::nullopt;
  std::int16_t api_key = offset_commit;
  std::int16_t version = 9;
};

class ClassicCommit : public ClassicTest {
 protected:
  std::string commit(const Committing& by) {
    const std::string id = rig.id_of(by.member);
    const muster_str none{nullptr, 0};
    const std::vector<muster_topic_partition> partitions = {{{}, testing::to_str("foo"), 0},
                                                            {{}, testing::to_str("foo"), 1}};
    const muster_commit table{sizeof table,
                              by.api_key,
                              by.version,
                              testing::to_str("g"),
                              testing::to_str(id),
                              by.instance ? testing::to_str(*by.instance) : none,
                              by.epoch,
                              partitions.data(),
                              2};
    std::vector<std::int16_t> errors(2, 99);
    outcome = {};
    testing::FakeDecision decision("classic", &outcome);
    EXPECT_EQ(rig.table()->facet->check_commit(rig.shard_object(), &table, errors.data(),
                                               decision.table()),
              MUSTER_OK);
    EXPECT_EQ(errors[0], errors[1]);
    EXPECT_THAT(outcome.writes, IsEmpty());
    return std::to_string(errors[0]);
  }
  std::int16_t fetch(std::optional<std::string_view> member, std::int32_t epoch) {
    const muster_str by = member ? testing::to_str(*member) : muster_str{nullptr, 0};
    return rig.table()->facet->check_fetch(rig.shard_object(), testing::to_str("g"), by, epoch);
  }

  testing::Outcome outcome;
};
BOTH_DOORS(ClassicCommit);

constexpr const char* none = "0";
constexpr const char* illegal_generation = "22";
constexpr const char* unknown_member_id = "25";
constexpr const char* rebalance_in_progress = "27";
constexpr const char* fenced_instance_id = "82";

TEST_P(ClassicCommit, AMemberOfAStableGroupMayAndItsSessionIsRenewed) {
  rig.stable({by("a")});
  EXPECT_EQ(commit({"a1", 1}), none);
  EXPECT_THAT(outcome.timers,
              ElementsAre(testing::Timer{"session 1 g " + rig.id_of("a1"), 10'000}));
}

TEST_P(ClassicCommit, AnotherGenerationIsIllegalInEveryVersion) {
  rig.stable({by("a")});
  for (const std::int16_t version : {5, 8, 9, 10}) {
    EXPECT_EQ(commit({"a1", 0, std::nullopt, offset_commit, version}), illegal_generation);
    EXPECT_EQ(commit({"a1", 2, std::nullopt, offset_commit, version}), illegal_generation);
  }
  EXPECT_EQ(commit({"a1", -1}), illegal_generation);
  EXPECT_THAT(outcome.timers, IsEmpty());
}

TEST_P(ClassicCommit, AStrangerMayNot) {
  rig.stable({by("a")});
  EXPECT_EQ(commit({"stranger", 1}), unknown_member_id);
  EXPECT_EQ(commit({"", 1}), unknown_member_id);
}

TEST_P(ClassicCommit, WithoutIdsItIsForEmptyGroupsOnly) {
  rig.stable({by("a")});
  EXPECT_EQ(commit({""}), unknown_member_id);
  rig.leave({{"a1"}});
  EXPECT_EQ(commit({""}), none);
  EXPECT_EQ(commit({"whoever"}), none);
  EXPECT_THAT(outcome.timers, IsEmpty());
}

TEST_P(ClassicCommit, AnEmptyGroupHasNoGenerationToCommitIn) {
  rig.stable({by("a")});
  rig.leave({{"a1"}});
  EXPECT_EQ(commit({"a1", 2}), unknown_member_id);
}

TEST_P(ClassicCommit, InAJoinPhaseItIsAcceptedAndRenewsTheSession) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  EXPECT_EQ(commit({"b1", 1}), none);
  EXPECT_THAT(outcome.timers,
              ElementsAre(testing::Timer{"session 1 g " + rig.id_of("b1"), 10'000}));
}

TEST_P(ClassicCommit, BetweenJoinAndSyncAMemberIsToldToRejoin) {
  rig.joins(by("a"));
  rig.pass(3000);
  EXPECT_EQ(commit({"a1", 1}), rebalance_in_progress);
  EXPECT_EQ(commit({"a1", 0}), illegal_generation);
  EXPECT_THAT(outcome.timers, IsEmpty());
}

TEST_P(ClassicCommit, AReplacedStaticMemberIsFenced) {
  rig.stable({by("a").with_instance("i")});
  rig.join(by("b").with_instance("i"));
  EXPECT_EQ(commit({"i1", 1, "i"}), fenced_instance_id);
  EXPECT_EQ(commit({"i2", 1, "i"}), none);
  EXPECT_EQ(commit({"i2", 1, "other"}), unknown_member_id);
}

TEST_P(ClassicCommit, TransactionsAskForTheMemberOnlyWhereOneIsNamed) {
  rig.stable({by("a")});
  const auto in_transaction = [&](const std::string& member, std::int32_t generation) {
    return commit({member, generation, std::nullopt, txn_offset_commit, 3});
  };
  EXPECT_EQ(in_transaction("", -1), none);
  EXPECT_EQ(in_transaction("a1", 1), none);
  EXPECT_EQ(in_transaction("a1", 0), illegal_generation);
  EXPECT_EQ(in_transaction("stranger", 1), unknown_member_id);
}

TEST_P(ClassicCommit, TransactionsMayBetweenJoinAndSync) {
  rig.joins(by("a"));
  rig.pass(3000);
  EXPECT_EQ(commit({"a1", 1, std::nullopt, txn_offset_commit, 3}), none);
}

TEST_P(ClassicCommit, FetchesAreForEveryone) {
  rig.stable({by("a")});
  EXPECT_EQ(fetch(std::nullopt, -1), 0);
  EXPECT_EQ(fetch("stranger", 5), 0);
}

}  // namespace
}  // namespace muster::classic
