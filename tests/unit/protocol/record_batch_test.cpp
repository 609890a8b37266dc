// Looking at batches and stamping them.
#include "golden_batches.hpp"

#include <muster/protocol/record_batch.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace muster::protocol {
namespace {

using testing::commit_marker;
using testing::golden_timestamp;
using testing::one_record;
using testing::transactional_record;

// Puts a 32-bit value into a batch, as a liar would.
Buffer with_int32(Buffer batch, std::size_t offset, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) {
    batch[offset + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  }
  return batch;
}

TEST(RecordBatch, PlainBatchHasNoProducer) {
  const Buffer bytes = one_record();
  const auto batch = RecordBatchView::first(bytes);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->validate());
  EXPECT_EQ(batch->size(), 70U);
  EXPECT_EQ(batch->base_offset(), 0);
  EXPECT_EQ(batch->partition_leader_epoch(), -1);
  EXPECT_EQ(batch->crc(), 0xE99B8DD8U);
  EXPECT_EQ(batch->last_offset_delta(), 0);
  EXPECT_EQ(batch->base_timestamp(), golden_timestamp);
  EXPECT_EQ(batch->max_timestamp(), golden_timestamp);
  EXPECT_EQ(batch->producer_id(), -1);
  EXPECT_EQ(batch->producer_epoch(), -1);
  EXPECT_EQ(batch->base_sequence(), -1);
  EXPECT_EQ(batch->last_sequence(), -1);
  EXPECT_EQ(batch->record_count(), 1);
  EXPECT_EQ(batch->records().size(), 9U);
  EXPECT_EQ(batch->compression(), Compression::none);
  EXPECT_EQ(batch->timestamp_type(), TimestampType::create_time);
  EXPECT_FALSE(batch->is_transactional());
  EXPECT_FALSE(batch->is_control());
  EXPECT_FALSE(batch->has_delete_horizon());
  EXPECT_FALSE(batch->has_producer_id());
  EXPECT_TRUE(batch->has_consecutive_offsets());
}

TEST(RecordBatch, TransactionalBatchNamesItsProducer) {
  const Buffer bytes = transactional_record();
  const auto batch = RecordBatchView::first(bytes);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->validate());
  EXPECT_TRUE(batch->is_transactional());
  EXPECT_FALSE(batch->is_control());
  EXPECT_EQ(batch->producer_id(), 7);
  EXPECT_EQ(batch->producer_epoch(), 3);
  EXPECT_EQ(batch->base_sequence(), 11);
  EXPECT_EQ(batch->last_sequence(), 11);
}

TEST(RecordBatch, MarkerIsAControlBatch) {
  const Buffer bytes = commit_marker();
  const auto batch = RecordBatchView::first(bytes);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->validate());
  EXPECT_TRUE(batch->is_control());
  EXPECT_TRUE(batch->is_transactional());
  EXPECT_EQ(batch->base_offset(), 100);
  EXPECT_EQ(batch->next_offset(), 101);
}

TEST(RecordBatch, EveryWrongBitBehindTheCrcIsFound) {
  const Buffer good = one_record();
  for (std::size_t at = 21; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      Buffer bad = good;
      bad[at] = static_cast<std::uint8_t>(bad[at] ^ 1U << bit);
      const auto batch = RecordBatchView::first(bad);
      ASSERT_TRUE(batch);
      ASSERT_EQ(batch->validate().error(), BatchFault::wrong_crc);
    }
  }
}

TEST(RecordBatch, CutOffBatchesAreTruncated) {
  const Buffer bytes = one_record();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_EQ(RecordBatchView::first(Bytes(bytes).first(size)).error(), BatchFault::truncated);
  }
}

TEST(RecordBatch, LengthsOfLessThanAHeaderAreRefused) {
  for (const std::uint32_t length : {0U, 48U, 0xFFFFFFFFU, 0x80000000U}) {
    const Buffer bytes = with_int32(one_record(), 8, length);
    EXPECT_EQ(RecordBatchView::first(bytes).error(), BatchFault::too_small) << length;
  }
  const Buffer huge = with_int32(one_record(), 8, 0x7FFFFFFF);
  EXPECT_EQ(RecordBatchView::first(huge).error(), BatchFault::truncated);
}

TEST(RecordBatch, OlderFormatsAreToldApart) {
  for (const std::uint8_t magic : {0, 1, 3, 255}) {
    Buffer bytes = one_record();
    bytes[16] = magic;
    EXPECT_EQ(RecordBatchView::first(bytes).error(), BatchFault::unknown_magic);
    EXPECT_EQ(RecordBatchView::first(Bytes(bytes).first(20)).error(), BatchFault::unknown_magic);
  }
}

TEST(RecordBatch, NegativeCountsAreRefusedEvenWithTheRightChecksum) {
  for (const std::size_t offset : {std::size_t{23}, std::size_t{57}}) {
    Buffer bytes = with_int32(one_record(), offset, 0xFFFFFFFF);
    set_log_append_time(bytes, 5);  // only for its checksum
    const auto batch = RecordBatchView::first(bytes);
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->validate().error(), BatchFault::wrong_count);
  }
}

TEST(RecordBatch, CountsThatDisagreeAreNotConsecutive) {
  const Buffer bytes = with_int32(one_record(), 57, 2);
  EXPECT_FALSE(RecordBatchView::first(bytes)->has_consecutive_offsets());
  const Buffer none = with_int32(one_record(), 57, 0);
  EXPECT_FALSE(RecordBatchView::first(none)->has_consecutive_offsets());
}

TEST(RecordBatch, OffsetsAndTimestampsOfALiarWrapAsJavasDo) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Buffer bytes = one_record();
  stamp(bytes, most, 0);
  for (std::size_t at = 27; at < 35; ++at) bytes[at] = at == 27 ? 0x7F : 0xFF;  // base timestamp
  const auto batch = RecordBatchView::first(bytes);
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(batch->next_offset(), least);
  EXPECT_EQ(batch->offset_of(Record{.offset_delta = 2}), least + 1);
  EXPECT_EQ(batch->timestamp_of(Record{.timestamp_delta = 2}), least + 1);
}

TEST(RecordBatch, SequencesWrapToZero) {
  const Buffer bytes = with_int32(with_int32(one_record(), 53, 0x7FFFFFFE), 23, 3);
  EXPECT_EQ(RecordBatchView::first(bytes)->last_sequence(), 1);
}

TEST(RecordBatch, StampingLeavesTheChecksumValid) {
  Buffer bytes = transactional_record();
  stamp(bytes, 0x0102030405060708, 42);
  const auto batch = RecordBatchView::first(bytes);
  EXPECT_EQ(batch->base_offset(), 0x0102030405060708);
  EXPECT_EQ(batch->partition_leader_epoch(), 42);
  EXPECT_TRUE(batch->validate());
  stamp(bytes, 0, -1);
  EXPECT_EQ(bytes, transactional_record());
}

TEST(RecordBatch, LogAppendTimeMakesANewChecksum) {
  Buffer bytes = one_record();
  set_log_append_time(bytes, 1800000000000);
  const auto batch = RecordBatchView::first(bytes);
  EXPECT_TRUE(batch->validate());
  EXPECT_NE(batch->crc(), RecordBatchView::first(one_record())->crc());
  EXPECT_EQ(batch->timestamp_type(), TimestampType::log_append_time);
  EXPECT_EQ(batch->timestamp_of(Record{.timestamp_delta = 77}), 1800000000000);
}

TEST(Batches, AreWalkedUpToTheFirstThatIsCutOff) {
  Buffer bytes = one_record();
  const Buffer marker = commit_marker();
  bytes.insert(bytes.end(), marker.begin(), marker.end());
  bytes.insert(bytes.end(), marker.begin(), marker.end() - 1);
  std::vector<std::int64_t> offsets;
  const Batches batches(bytes);
  auto it = batches.begin();
  for (; it != std::default_sentinel; ++it) offsets.push_back(it->base_offset());
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 100}));
  EXPECT_EQ(it.rest().size(), marker.size() - 1);
}

TEST(Batches, NothingHoldsNone) {
  for ([[maybe_unused]] const RecordBatchView& batch : Batches(Bytes{})) FAIL();
}

}  // namespace
}  // namespace muster::protocol
