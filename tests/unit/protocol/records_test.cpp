// The records of an uncompressed block.
#include "golden_batches.hpp"

#include <muster/protocol/record_batch.hpp>

#include <gtest/gtest.h>

namespace muster::protocol {
namespace {

using testing::commit_marker;
using testing::from_hex;
using testing::golden_timestamp;
using testing::one_record;
using testing::two_record_block;

// Reads all; the error, or nothing.
std::string fault(const Buffer& block, std::int32_t count) {
  RecordReader reader(block, count);
  Record record;
  while (reader.next(record)) {
  }
  return std::string(reader.error());
}

TEST(RecordReader, ReadsKeyAndValue) {
  const Buffer bytes = one_record();
  const auto batch = RecordBatchView::first(bytes);
  RecordReader reader(batch->records(), batch->record_count());
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(as_text(*record.key), "k");
  EXPECT_EQ(as_text(*record.value), "v");
  EXPECT_TRUE(record.headers.empty());
  EXPECT_EQ(batch->offset_of(record), 0);
  EXPECT_EQ(batch->timestamp_of(record), golden_timestamp);
  EXPECT_FALSE(reader.next(record));
  EXPECT_TRUE(reader.ok());
}

TEST(RecordReader, ReadsNullsHeadersAndDeltas) {
  const Buffer block = two_record_block();
  RecordReader reader(block, 2);
  Record record;
  ASSERT_TRUE(reader.next(record));
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.key, std::nullopt);
  EXPECT_EQ(record.value->size(), 40U);
  EXPECT_EQ(record.timestamp_delta, 5);
  EXPECT_EQ(record.offset_delta, 1);
  EXPECT_EQ(record.headers, (std::vector<RecordHeader>{{"h", std::nullopt}}));
  EXPECT_FALSE(reader.next(record));
  EXPECT_TRUE(reader.ok());
}

TEST(RecordReader, RecordLongerThanTheBatchIsAFault) {
  EXPECT_EQ(fault(from_hex("12000000026b027600"), 1), "record longer than its batch");
  EXPECT_EQ(fault(from_hex("feffffff0f"), 1), "record longer than its batch");
  EXPECT_EQ(fault(from_hex("01"), 1), "record longer than its batch");
}

TEST(RecordReader, CountThatDisagreesWithTheBlockIsAFault) {
  EXPECT_EQ(fault(two_record_block(), 1), "bytes behind the last record");
  EXPECT_EQ(fault(two_record_block(), 3), "frame ends too early");
  EXPECT_EQ(fault(two_record_block(), -1), "bytes behind the last record");
  EXPECT_EQ(fault({}, 0), "");
}

TEST(RecordReader, FieldsThatDoNotFillTheRecordAreAFault) {
  EXPECT_EQ(fault(from_hex("12000000026b02760000"), 1), "record of another length than it says");
  EXPECT_EQ(fault(from_hex("0e000000026b02760000"), 1), "record of another length than it says");
}

TEST(RecordReader, FalseHeaderCountsAndKeysAreFaults) {
  EXPECT_EQ(fault(from_hex("10000000026b027601"), 1), "negative header count");
  EXPECT_EQ(fault(from_hex("14000000026b0276020100"), 1), "record header without a key");
  EXPECT_EQ(fault(from_hex("18000000026b0276feffffff0f"), 1), "frame ends too early");
}

TEST(RecordReader, EveryCutIsAFault) {
  const Buffer block = two_record_block();
  for (std::size_t size = 0; size < block.size(); ++size) {
    const Buffer cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(fault(cut, 2), "") << size;
  }
}

TEST(ControlRecords, TypeIsInTheKey) {
  const Buffer bytes = commit_marker();
  const auto batch = RecordBatchView::first(bytes);
  RecordReader reader(batch->records(), 1);
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(control_type(*record.key), ControlType::commit);
  EXPECT_EQ(control_type(from_hex("00000000")), ControlType::abort);
  EXPECT_EQ(control_type(from_hex("00000002")), static_cast<ControlType>(2));
  EXPECT_EQ(control_type(from_hex("000000")), std::nullopt);
  EXPECT_EQ(control_type(from_hex("ffff0001")), std::nullopt);
}

}  // namespace
}  // namespace muster::protocol
