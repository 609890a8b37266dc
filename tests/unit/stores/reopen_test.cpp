// A durable store that is opened anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store_rig.hpp"

namespace muster::stores {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReopenedStore : public ::testing::Test {
 protected:
  Store& reopened(std::uint32_t shards = 1) {
    store_.reset();
    store_ = std::make_unique<Store>(StoreKind{"rocksdb", true}, Store::Settings{folder_.path()});
    code_ = store_->open("groups", shards);
    return *store_;
  }

  ScratchFolder folder_;
  std::unique_ptr<Store> store_;
  muster_code code_ = MUSTER_OK;
};

TEST_F(ReopenedStore, HasWhatWasCommittedInTheOrderOfTheLastCommits) {
  Store& first = reopened(2);
  first.commit(1, 1, {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  first.commit(1, 4, {{"a", "4"}, {"b", std::nullopt}});
  first.commit(1, 1, {{"a", "other"}}, 1);
  Store& second = reopened(2);
  EXPECT_THAT(second.loaded(second.epoch()), ElementsAre(Loaded{3, "c", "3"}, Loaded{4, "a", "4"}));
  EXPECT_THAT(second.loaded(second.epoch(1), 1), ElementsAre(Loaded{1, "a", "other"}));
  EXPECT_EQ(second.commit(second.epoch(), 4, {{"d", "5"}}), MUSTER_INVALID_ARGUMENT);
}

TEST_F(ReopenedStore, HasAHigherEpochEachTimeAndFencesTheOlder) {
  const std::uint64_t first = reopened().epoch();
  const std::uint64_t second = reopened().epoch();
  EXPECT_GT(second, first);
  EXPECT_GT(reopened().epoch(), second);
  EXPECT_EQ(store_->commit(second, 1, {{"a", "1"}}), MUSTER_FENCED);
  EXPECT_THAT(store_->loaded(store_->epoch()), IsEmpty());
}

TEST_F(ReopenedStore, RefusesAnotherNumberOfShardsAndKeepsWhatItHas) {
  reopened(2).commit(1, 1, {{"a", "1"}}, 1);
  Store& other = reopened(3);
  EXPECT_EQ(code_, MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(other.complaint, "space groups was made with 2 shards, not with 3");
  Store& again = reopened(2);
  EXPECT_EQ(code_, MUSTER_OK);
  EXPECT_THAT(again.loaded(again.epoch(1), 1), ElementsAre(Loaded{1, "a", "1"}));
}

TEST_F(ReopenedStore, HasTheNewestOfAKeyThatWasWrittenShorterAndLongerAndDeletedBetween) {
  Store& first = reopened();
  std::uint64_t sequence = 0;
  for (const std::size_t size : {10, 200, 3, 0, 200, 199, 10}) {
    std::optional<std::string> value;
    if (size != 0) value = std::string(size, static_cast<char>('a' + sequence));
    first.commit(1, sequence++, {{"key", value}});
  }
  const auto newest = ElementsAre(Loaded{sequence - 1, "key", std::string(10, 'g')});
  EXPECT_THAT(first.loaded(1), newest);
  Store& second = reopened();
  EXPECT_THAT(second.loaded(second.epoch()), newest);
}

TEST_F(ReopenedStore, HasALogThatDoesNotGrowWithWhatIsWrittenOver) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  Store& store = reopened();
  for (std::uint64_t sequence = 0; sequence < 80; ++sequence) {
    ASSERT_EQ(store.commit(1, sequence, {{"key", std::string(megabyte / 2, 'x')}}), MUSTER_OK);
  }
  std::uintmax_t logged = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path())) {
    if (file.path().extension() == ".log") logged += file.file_size();
  }
  EXPECT_LT(logged, 36 * megabyte);
}

TEST_F(ReopenedStore, HasManyBatchesAfterManyReopenings) {
  std::uint64_t sequence = 0;
  for (int round = 0; round < 5; ++round) {
    Store& store = reopened();
    EXPECT_EQ(store.loaded(store.epoch()).size(), sequence);
    for (int i = 0; i < 50; ++i, ++sequence) {
      store.begin_commit(store.epoch(), sequence, {{std::to_string(sequence), "x"}});
    }
  }
  Store& store = reopened();
  const auto records = store.loaded(store.epoch());
  ASSERT_EQ(records.size(), sequence);
  for (std::uint64_t i = 0; i < sequence; ++i) EXPECT_EQ(records[i].key, std::to_string(i));
}

TEST(OpenStore, RefusesAHostThatKeepsNothing) {
  const Store store({"rocksdb", true}, {});
  EXPECT_FALSE(store.created());
  EXPECT_THAT(store.complaint, HasSubstr("no folder for data"));
}

}  // namespace
}  // namespace muster::stores
