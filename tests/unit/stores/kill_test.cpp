// kill -9 in the middle of commits: all that was acknowledged is there, in order, and no half
// batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "child.hpp"
#include "store_rig.hpp"

namespace muster::stores {
namespace {

constexpr std::uint32_t shards = 4;
constexpr int rounds = 5;
constexpr int batches_a_round = 400;

// The newest acknowledged batch of each shard; -1: none.
using Acknowledged = std::array<std::int64_t, shards>;

void take(Acknowledged& newest, const std::string& line) {
  char* rest = nullptr;
  const std::size_t shard = std::strtoull(line.c_str(), &rest, 10);
  const std::int64_t number = std::strtoll(rest, nullptr, 10);
  EXPECT_EQ(number, newest.at(shard) + 1);
  newest.at(shard) = number;
}

// Batch n is the records "last" and "n", numbered 2n and 2n + 1. The batch that was under way may
// be there as well.
std::int64_t expect_whole(const std::vector<Loaded>& records, std::int64_t acknowledged) {
  const auto batches = static_cast<std::int64_t>(records.size()) - 1;
  if (records.empty()) {
    EXPECT_EQ(acknowledged, -1);
    return -1;
  }
  EXPECT_GT(batches, acknowledged);
  EXPECT_LE(batches, acknowledged + 2);
  std::int64_t number = 0;
  for (const Loaded& record : records) {
    if (record.key == "last") {
      EXPECT_EQ(record.value, std::to_string(batches - 1));
      EXPECT_EQ(record.sequence, static_cast<std::uint64_t>(2 * (batches - 1)));
      continue;
    }
    EXPECT_EQ(record.key, std::to_string(number));
    EXPECT_EQ(record.sequence, static_cast<std::uint64_t>(2 * number + 1));
    ++number;
  }
  EXPECT_EQ(number, batches);
  return batches - 1;
}

class KilledStore : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Sync, KilledStore, ::testing::Values("always", "os"),
                         [](const auto& of) { return std::string(of.param); });

TEST_P(KilledStore, KeepsAllThatItAcknowledged) {
  const ScratchFolder folder;
  Acknowledged newest;
  newest.fill(-1);
  std::uint64_t epoch = 0;
  for (int round = 0; round < rounds; ++round) {
    Child child({"commit", folder.path().string(), GetParam()});
    for (int i = 0; i < batches_a_round; ++i) take(newest, child.line());
    child.kill();
    for (const std::string& line : child.rest()) take(newest, line);
    EXPECT_EQ(child.wait(), -9);

    Store store({"rocksdb", true}, {folder.path()});
    ASSERT_EQ(store.open("groups", shards), MUSTER_OK) << store.complaint;
    EXPECT_GT(store.epoch(), epoch);
    epoch = store.epoch();
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      newest.at(shard) = expect_whole(store.loaded(epoch, shard), newest.at(shard));
    }
  }
}

}  // namespace
}  // namespace muster::stores
