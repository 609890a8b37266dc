// Building batches, byte for byte as the Java client does.
#include "golden_batches.hpp"

#include <muster/protocol/record_batch.hpp>

#include <gtest/gtest.h>

#include <string>

namespace muster::protocol {
namespace {

using testing::golden_timestamp;
using testing::to_hex;

NewRecord key_and_value() {
  return {.timestamp = golden_timestamp, .key = as_bytes("k"), .value = as_bytes("v")};
}

TEST(BatchBuilder, WritesWhatTheJavaClientWrites) {
  BatchBuilder builder({});
  builder.add(key_and_value());
  Buffer out;
  builder.finish(out);
  EXPECT_EQ(to_hex(out), to_hex(testing::one_record()));
  EXPECT_EQ(builder.size(), out.size());
}

TEST(BatchBuilder, WritesTheProducerOfATransaction) {
  BatchBuilder builder(
      {.producer_id = 7, .producer_epoch = 3, .base_sequence = 11, .transactional = true});
  builder.add(key_and_value());
  Buffer out;
  builder.finish(out);
  EXPECT_EQ(to_hex(out), to_hex(testing::transactional_record()));
}

TEST(BatchBuilder, WritesNullsHeadersAndDeltas) {
  const std::string value(40, 'v');
  const std::vector<RecordHeader> headers{{"h", std::nullopt}};
  BatchBuilder builder({});
  builder.add(key_and_value());
  builder.add({.timestamp = golden_timestamp + 5, .value = as_bytes(value), .headers = headers});
  EXPECT_EQ(to_hex(builder.block()), to_hex(testing::two_record_block()));
  Buffer out;
  builder.finish(out);
  const auto batch = RecordBatchView::first(out);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->validate());
  EXPECT_TRUE(batch->has_consecutive_offsets());
  EXPECT_EQ(batch->record_count(), 2);
  EXPECT_EQ(batch->base_timestamp(), golden_timestamp);
  EXPECT_EQ(batch->max_timestamp(), golden_timestamp + 5);
}

TEST(BatchBuilder, TimestampsMayGoBack) {
  BatchBuilder builder({});
  builder.add({.timestamp = 1000});
  builder.add({.timestamp = 400});
  Buffer out;
  builder.finish(out);
  const auto batch = RecordBatchView::first(out);
  EXPECT_EQ(batch->max_timestamp(), 1000);
  RecordReader reader(batch->records(), 2);
  Record record;
  ASSERT_TRUE(reader.next(record));
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(batch->timestamp_of(record), 400);
}

TEST(BatchBuilder, TakesACompressedBlock) {
  BatchBuilder builder({.base_offset = 9, .partition_leader_epoch = 2});
  builder.add(key_and_value());
  Buffer out{0xEE};
  builder.finish(out, Compression::zstd, as_bytes("squeezed"));
  const auto batch = RecordBatchView::first(Bytes(out).subspan(1));
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->validate());
  EXPECT_EQ(batch->compression(), Compression::zstd);
  EXPECT_EQ(as_text(batch->records()), "squeezed");
  EXPECT_EQ(batch->base_offset(), 9);
  EXPECT_EQ(batch->partition_leader_epoch(), 2);
  EXPECT_EQ(batch->record_count(), 1);
}

TEST(BatchBuilder, ManyRecordsReadBack) {
  BatchBuilder builder({});
  std::vector<std::string> values;
  for (std::size_t i = 0; i < 300; ++i) values.emplace_back(i, 'x');
  for (const std::string& value : values) builder.add({.timestamp = 1, .value = as_bytes(value)});
  Buffer out;
  builder.finish(out);
  RecordReader reader(RecordBatchView::first(out)->records(), builder.count());
  Record record;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(reader.next(record));
    ASSERT_EQ(as_text(*record.value), values[i]);
    ASSERT_EQ(record.offset_delta, static_cast<std::int32_t>(i));
  }
  EXPECT_FALSE(reader.next(record));
  EXPECT_TRUE(reader.ok());
}

TEST(TransactionMarkers, AreWhatKafkaWrites) {
  TransactionMarker marker{.producer_id = 7,
                           .producer_epoch = 3,
                           .coordinator_epoch = 9,
                           .timestamp = golden_timestamp,
                           .base_offset = 100,
                           .partition_leader_epoch = 0};
  Buffer commit;
  append_marker(commit, marker);
  EXPECT_EQ(to_hex(commit), to_hex(testing::commit_marker()));
  marker.type = ControlType::abort;
  Buffer abort;
  append_marker(abort, marker);
  const auto batch = RecordBatchView::first(abort);
  RecordReader reader(batch->records(), 1);
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(control_type(*record.key), ControlType::abort);
}

}  // namespace
}  // namespace muster::protocol
