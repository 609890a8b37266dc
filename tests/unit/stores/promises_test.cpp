// What docs/border.md promises of stores, of each of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "store_rig.hpp"

namespace muster::stores {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StorePromises : public ::testing::TestWithParam<StoreKind> {
 protected:
  ScratchFolder folder;
  Store store{GetParam(), {folder.path(), "os"}};
};

INSTANTIATE_TEST_SUITE_P(Every, StorePromises,
                         ::testing::Values(StoreKind{"memory", false}, StoreKind{"memory", true},
                                           StoreKind{"rocksdb", false}, StoreKind{"rocksdb", true}),
                         [](const auto& of) {
                           return of.param.name + (of.param.from_file ? "_loaded" : "_linked");
                         });

TEST_P(StorePromises, OpeningGainsEveryShardAtAHigherEpochEachTime) {
  EXPECT_EQ(store.open("groups", 3), MUSTER_OK);
  ASSERT_EQ(store.epochs.size(), 3U);
  const auto first = store.epochs;
  EXPECT_EQ(store.open("groups", 3), MUSTER_OK);
  for (const auto& [shard, epoch] : first) EXPECT_GT(store.epochs[shard], epoch);
}

TEST_P(StorePromises, AnotherNumberOfShardsIsRefusedAndNamed) {
  store.open("groups", 3);
  EXPECT_EQ(store.open("groups", 4), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(store.complaint, "space groups was made with 3 shards, not with 4");
  EXPECT_EQ(store.open("transactions", 4), MUSTER_OK);
}

TEST_P(StorePromises, LoadGivesLiveKeysInTheOrderOfTheirLastCommit) {
  store.open("groups", 1);
  EXPECT_THAT(store.loaded(1), IsEmpty());
  EXPECT_EQ(store.commit(1, 10, {{"a", "1"}, {"b", "2"}, {"c", "3"}}), MUSTER_OK);
  EXPECT_EQ(store.commit(1, 13, {{"a", "4"}, {"b", std::nullopt}}), MUSTER_OK);
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{12, "c", "3"}, Loaded{13, "a", "4"}));
}

TEST_P(StorePromises, EmptyValuesAreNoTombstones) {
  store.open("groups", 1);
  store.commit(1, 1, {{"a", ""}});
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{1, "a", ""}));
}

TEST_P(StorePromises, ShardsAndSpacesAreApart) {
  store.open("groups", 2);
  store.open("other", 1);
  store.commit(1, 1, {{"a", "1"}}, 0);
  store.commit(1, 1, {{"a", "2"}}, 1);
  EXPECT_THAT(store.loaded(1, 0), ElementsAre(Loaded{1, "a", "1"}));
  EXPECT_THAT(store.loaded(1, 1), ElementsAre(Loaded{1, "a", "2"}));
}

TEST_P(StorePromises, OlderEpochsAreFencedForEver) {
  store.open("groups", 1);
  store.commit(1, 1, {{"a", "1"}});
  store.open("groups", 1);
  EXPECT_EQ(store.commit(1, 2, {{"a", "2"}}), MUSTER_FENCED);
  std::vector<Loaded> out;
  EXPECT_EQ(store.load(1, out), MUSTER_FENCED);
  // The new owner is not disturbed by the old one's attempts.
  EXPECT_THAT(store.loaded(2), ElementsAre(Loaded{1, "a", "1"}));
  EXPECT_EQ(store.commit(2, 2, {{"a", "2"}}), MUSTER_OK);
  EXPECT_EQ(store.commit(1, 3, {{"a", "3"}}), MUSTER_FENCED);
}

TEST_P(StorePromises, AfterAFailureNothingIsTakenUntilTheNextLoad) {
  store.open("groups", 2);
  store.commit(1, 1, {{"a", "1"}});
  const std::string large(store.max_batch_bytes(), 'x');
  EXPECT_EQ(store.commit(1, 2, {{"b", "2"}, {"c", large}}), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(store.commit(1, 2, {{"d", "3"}}), MUSTER_UNAVAILABLE);
  EXPECT_EQ(store.commit(1, 1, {{"d", "3"}}, 1), MUSTER_OK);
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{1, "a", "1"}));
  EXPECT_EQ(store.commit(1, 2, {{"d", "3"}}), MUSTER_OK);
}

TEST_P(StorePromises, ABatchOfTheLargestSizeIsTaken) {
  store.open("groups", 1);
  const std::string large(store.max_batch_bytes() - 1, 'x');
  EXPECT_EQ(store.commit(1, 1, {{"a", large}}), MUSTER_OK);
}

TEST_P(StorePromises, SequencesMustRiseButMayStartAgainBehindWhatIsLive) {
  store.open("groups", 1);
  store.commit(1, 5, {{"a", "1"}, {"b", "2"}});
  store.commit(1, 7, {{"b", std::nullopt}});
  EXPECT_EQ(store.commit(1, 6, {{"c", "3"}}), MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{5, "a", "1"}));
  EXPECT_EQ(store.commit(1, 6, {{"c", "3"}}), MUSTER_OK);
}

TEST_P(StorePromises, UnknownShardsAndSpacesAreFaults) {
  EXPECT_EQ(store.commit(1, 1, {}), MUSTER_INTERNAL);
  store.open("groups", 1);
  EXPECT_EQ(store.commit(1, 1, {}, 1), MUSTER_INTERNAL);
  EXPECT_EQ(store.owner(1), "fault");
  EXPECT_EQ(store.owner(0), "?");
  std::vector<Loaded> out;
  EXPECT_EQ(store.load(9, out), MUSTER_INVALID_ARGUMENT);
}

TEST_P(StorePromises, BatchesInFlightLandInTheOrderTheyCame) {
  store.open("groups", 1);
  std::vector<Answer*> answers;
  for (std::uint64_t sequence = 0; sequence < 300; ++sequence) {
    answers.push_back(&store.begin_commit(1, sequence, {{"a", std::to_string(sequence)}}));
  }
  // Waits for all that is under way.
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{299, "a", "299"}));
  for (Answer* answer : answers) EXPECT_EQ(answer->wait(), MUSTER_OK);
}

TEST_P(StorePromises, WhatIsUnderWayIsAnsweredBeforeTheStoreIsGone) {
  store.open("groups", 1);
  Answer& answer = store.begin_commit(1, 1, {{"a", "1"}});
  store.close();
  EXPECT_EQ(answer.wait(), MUSTER_OK);
}

TEST_P(StorePromises, KeysAndValuesAreAnyBytes) {
  store.open("groups", 2);
  const std::string key("\0\xff\0k", 4);
  const std::string value("v\0\xff", 3);
  store.commit(1, 1, {{key, value}, {"", "nothing"}});
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{1, key, value}, Loaded{2, "", "nothing"}));
  EXPECT_THAT(store.loaded(1, 1), IsEmpty());
}

TEST_P(StorePromises, ShardsCommitBesideEachOther) {
  constexpr std::uint32_t shards = 4;
  store.open("groups", shards);
  std::vector<std::jthread> threads;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    threads.emplace_back([this, shard] {
      for (std::uint64_t sequence = 0; sequence < 200; ++sequence) {
        EXPECT_EQ(store.commit(1, sequence, {{std::to_string(sequence % 10), "x"}}, shard),
                  MUSTER_OK);
      }
    });
  }
  threads.clear();
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const auto records = store.loaded(1, shard);
    ASSERT_EQ(records.size(), 10U);
    EXPECT_EQ(records.front().sequence, 190U);
    EXPECT_EQ(records.back().sequence, 199U);
  }
}

}  // namespace
}  // namespace muster::stores
