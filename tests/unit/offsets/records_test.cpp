// Replay: every key and value that Kafka ever wrote for an offset, and what comes back after a
// reload.
#include <muster/protocol/records/legacy_offset_commit_key.hpp>
#include <muster/protocol/records/legacy_offset_commit_value.hpp>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

OFFSETS_TESTS(OffsetRecords);

Buffer legacy_key(std::string_view group, std::string_view topic, std::int32_t partition) {
  return protocol::encode_key(protocol::LegacyOffsetCommitKey{group, topic, partition});
}

Buffer legacy_value(std::int64_t offset, std::string_view metadata, std::int64_t commit_ms) {
  return protocol::encode_value(protocol::LegacyOffsetCommitValue{offset, metadata, commit_ms});
}

TEST_P(OffsetRecords, EveryValueVersionIsRead) {
  rig.close();
  for (std::int16_t version = 0; version <= 4; ++version) {
    rig.store(offset_key("g", "orders", version),
              offset_value({100 + version, 7, "m", 5, 6, topic_id(1)}, version));
  }
  rig.metadata.put("orders", {.partitions = 9, .id = 1});
  rig.open();
  for (std::int32_t version = 0; version <= 4; ++version) {
    EXPECT_EQ(rig.fetch("g", "orders", version), 100 + version);
  }
}

TEST_P(OffsetRecords, TheLaterOfTwoRecordsOfAPartitionWins) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.committed("g", {{"orders", 0, 2}});
  EXPECT_EQ(rig.fetch("g", "orders", 0), 2);
  rig.reload();
  EXPECT_EQ(rig.fetch("g", "orders", 0), 2);
}

TEST_P(OffsetRecords, ATombstoneRemovesTheOffset) {
  rig.committed("g", {{"orders", 0, 1}, {"orders", 1, 1}});
  EXPECT_EQ(rig.replay(false, offset_key("g", "orders", 0), std::nullopt), MUSTER_OK);
  EXPECT_EQ(rig.fetch("g", "orders", 0), -1);
  EXPECT_EQ(rig.fetch("g", "orders", 1), 1);
}

TEST_P(OffsetRecords, ATombstoneForNothingIsFine) {
  EXPECT_EQ(rig.replay(false, offset_key("g", "orders", 0), std::nullopt), MUSTER_OK);
  EXPECT_EQ(rig.replay(false, legacy_key("g", "orders", 0), std::nullopt), MUSTER_OK);
}

TEST_P(OffsetRecords, AReloadBringsBackEverything) {
  rig.committed("g", {{"orders", 0, 1, "m", 3}, {"payments", 1, 2}});
  rig.committed("h", {{"orders", 0, 3}});
  const Buffer before = rig.digest(MUSTER_DIGEST_DURABLE);
  rig.reload();
  EXPECT_EQ(rig.digest(MUSTER_DIGEST_DURABLE), before);
  EXPECT_FALSE(before.empty());
}

TEST_P(OffsetRecords, StateDoesNotDependOnTheOrderOfRecords) {
  rig.committed("g", {{"payments", 1, 2}, {"orders", 0, 1}});
  rig.committed("a", {{"orders", 2, 3}, {"orders", 1, 4}});
  OffsetsRig other{GetParam()};
  other.committed("a", {{"orders", 1, 4}, {"orders", 2, 3}});
  other.committed("g", {{"orders", 0, 1}, {"payments", 1, 2}});
  EXPECT_EQ(rig.digest(MUSTER_DIGEST_DURABLE), other.digest(MUSTER_DIGEST_DURABLE));
}

TEST_P(OffsetRecords, OffsetsOfKafkasFirstFormatAreReadAndRewrittenOnLoad) {
  rig.close();
  rig.store(legacy_key("g", "orders", 0), legacy_value(41, "m", 17));
  rig.open();
  EXPECT_EQ(rig.fetch("g", "orders", 0), 41);
  EXPECT_EQ(rig.loaded.records(),
            (Writes{Write{"offsets", false, legacy_key("g", "orders", 0), std::nullopt},
                    Write{"offsets", false, offset_key("g", "orders", 0),
                          offset_value({41, -1, "m", 17, -1, {}})}}));
  rig.reload();
  EXPECT_EQ(rig.fetch("g", "orders", 0), 41);
  EXPECT_THAT(rig.loaded.records(), IsEmpty());
}

TEST_P(OffsetRecords, ANewerOffsetIsNotLostToOneOfTheFirstFormat) {
  rig.close();
  rig.store(legacy_key("g", "orders", 0), legacy_value(41, "", 17));
  rig.store(offset_key("g", "orders", 0), offset_value({42, -1, "", 18, -1, {}}));
  rig.open();
  EXPECT_EQ(rig.fetch("g", "orders", 0), 42);
  rig.reload();
  EXPECT_EQ(rig.fetch("g", "orders", 0), 42);
  EXPECT_THAT(rig.shard.stored, SizeIs(1));
}

TEST_P(OffsetRecords, ADeletedOffsetOfTheFirstFormatStaysDeleted) {
  rig.close();
  rig.store(legacy_key("g", "orders", 0), legacy_value(41, "", 17));
  rig.open();
  rig.metadata.remove("orders");
  rig.on_metadata();
  rig.reload();
  EXPECT_EQ(rig.fetch("g", "orders", 0), -1);
}

TEST_P(OffsetRecords, WhatCannotBeReadIsCorrupt) {
  const Buffer key = offset_key("g", "orders", 0);
  const Buffer good = offset_value({1, -1, "", 1, -1, {}});
  Buffer newer = good;
  newer[1] = 5;
  EXPECT_EQ(rig.replay(false, key, newer), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(false, key, Buffer(good.begin(), good.end() - 1)), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(false, key, Buffer{}), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(false, Buffer(key.begin(), key.end() - 1), good), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(false, Buffer{0, 2, 0, 0}, good), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(false, Buffer{}, good), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(true, Buffer{}, good), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(true, Buffer{99}, good), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(true, Buffer{2, 0}, good), MUSTER_CORRUPT);
  EXPECT_EQ(rig.fetch("g", "orders", 0), -1);
}

TEST_P(OffsetRecords, CommitsNeverOwnAGroupId) {
  rig.committed("g", {{"orders", 0, 1}});
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(OffsetRecords, AProtocolThatTakesTheIdOverKeepsItsOffsets) {
  rig.committed("g", {{"orders", 0, 1}});
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

}  // namespace
}  // namespace muster::offsets
