#include <gtest/gtest.h>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::Compression;
using protocol::ProduceRequest;
using protocol::ProduceResponse;

TEST(Produce, AnswersTheFirstOffsetOfEachBatch) {
  BrokerRig rig;
  create(rig, "t");

  const Produced first = produce(rig, "t", batch(3));
  const Produced second = produce(rig, "t", batch(1));

  EXPECT_EQ(first.error_code, 0);
  EXPECT_EQ(first.base_offset, 0);
  EXPECT_EQ(first.log_append_time_ms, -1);
  EXPECT_EQ(first.log_start_offset, 0);
  EXPECT_EQ(second.base_offset, 3);
}

TEST(Produce, EveryVersionFromThreeUpIsServedAndOlderOnesClose) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t");
  for (std::int16_t version = 0; version < 3; ++version) {
    const auto answer = rig.send(ProduceRequest::api_key, version, Buffer(40, 0));
    EXPECT_EQ(answer->wait(), Outcome::closed);
  }
  const Buffer records = batch();
  for (std::int16_t version = 3; version <= 13; ++version) {
    ProduceRequest request = produce_request("t", records);
    request.topic_data[0].topic_id = id;
    const auto response = rig.ask<ProduceResponse>(request, version);
    ASSERT_EQ(response->responses.size(), 1U) << version;
    EXPECT_EQ(response->responses[0].name, version < 13 ? "t" : "");
    EXPECT_EQ(response->responses[0].topic_id, version < 13 ? protocol::Uuid{} : id);
    const auto& partition = response->responses[0].partition_responses.at(0);
    EXPECT_EQ(partition.error_code, 0);
    EXPECT_EQ(partition.base_offset, version - 3);
    EXPECT_EQ(partition.log_start_offset, version < 5 ? -1 : 0);
  }
}

TEST(Produce, KeepsTheBytesButForOffsetAndLeaderEpoch) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(2));
  const Buffer sent = batch(3);
  produce(rig, "t", sent);

  const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", 2), 12);

  Buffer expected = sent;
  put(expected, 0, std::int64_t{2});
  put(expected, 12, std::int32_t{0});
  EXPECT_EQ(fetched->responses[0].partitions[0].records, Bytes(expected));
}

TEST(Produce, UnknownTopicsAndPartitionsAreToldApartByNameAndId) {
  BrokerRig rig;
  create(rig, "t");
  EXPECT_EQ(produce(rig, "nope", batch()).error_code, code(Error::unknown_topic_or_partition));

  const Buffer records = batch();
  ProduceRequest by_id = produce_request("", records);
  by_id.topic_data[0].topic_id.bytes[0] = 1;
  const auto response = rig.ask<ProduceResponse>(by_id, 13);
  EXPECT_EQ(response->responses[0].partition_responses[0].error_code,
            code(Error::unknown_topic_id));

  const auto other = rig.ask<ProduceResponse>(produce_request("t", records, 1), 12);
  const auto& partition = other->responses[0].partition_responses[0];
  EXPECT_EQ(partition.error_code, code(Error::unknown_topic_or_partition));
  EXPECT_EQ(partition.base_offset, -1);
  EXPECT_EQ(partition.log_start_offset, -1);
}

struct BadBatch {
  const char* name;
  Buffer records;
  Error error;
  std::int64_t log_start_offset;
};

std::vector<BadBatch> bad_batches() {
  std::vector<BadBatch> cases;
  const auto add = [&](const char* name, Buffer records, Error error, std::int64_t start) {
    cases.push_back({name, std::move(records), error, start});
  };
  const auto patched = [](std::size_t offset, auto value) {
    Buffer records = batch(2);
    put(records, offset, value);
    fix_crc(records);
    return records;
  };
  add("no batch", {}, Error::invalid_record, -1);
  Buffer two = batch();
  const Buffer one = batch();
  two.insert(two.end(), one.begin(), one.end());
  add("two batches", two, Error::invalid_record, -1);
  add("cut off", Buffer(one.begin(), one.end() - 1), Error::invalid_record, -1);
  add("magic 1", patched(16, std::int8_t{1}), Error::invalid_record, -1);
  add("magic 3", patched(16, std::int8_t{3}), Error::corrupt_message, -1);
  add("size 13", patched(8, std::int32_t{13}), Error::corrupt_message, -1);
  add("size 20", patched(8, std::int32_t{20}), Error::corrupt_message, -1);
  Buffer zeros = batch();
  zeros.resize(zeros.size() + 30);
  add("zeros behind it", zeros, Error::corrupt_message, -1);
  Buffer flipped = batch();
  flipped[30] ^= 1;
  add("one bit flipped", flipped, Error::corrupt_message, -1);
  add("base offset 5", patched(0, std::int64_t{5}), Error::invalid_record, 0);
  add("control batch", patched(21, std::int16_t{0x20}), Error::invalid_record, 0);
  add("count without last offset", patched(57, std::int32_t{1}), Error::invalid_record, 0);
  add("count of none", patched(57, std::int32_t{0}), Error::invalid_record, 0);
  add("negative last offset", patched(23, std::int32_t{-1}), Error::invalid_record, 0);
  Buffer three = patched(57, std::int32_t{3});
  put(three, 23, std::int32_t{2});
  fix_crc(three);
  add("three of two records", three, Error::invalid_record, 0);
  add("record beyond the batch", patched(61, std::int8_t{0x7E}), Error::invalid_record, 0);
  add("negative record size", patched(61, std::int8_t{1}), Error::invalid_record, 0);
  add("second record first", patched(64, std::int8_t{2}), Error::invalid_record, 0);
  add("no such codec", patched(21, std::int16_t{5}), Error::unknown_server_error, 0);
  add("id without sequence", batch(1, {7, 0, -1}), Error::invalid_record, 0);
  return cases;
}

TEST(Produce, BadBatchesAreRefusedWithKafkasErrors) {
  BrokerRig rig;
  create(rig, "t");
  for (const BadBatch& bad : bad_batches()) {
    const Produced answer = produce(rig, "t", bad.records);
    EXPECT_EQ(answer.error_code, code(bad.error)) << bad.name;
    EXPECT_EQ(answer.base_offset, -1) << bad.name;
    EXPECT_EQ(answer.log_start_offset, bad.log_start_offset) << bad.name;
  }
  EXPECT_EQ(list_offset(rig, "t", -1).offset, 0);
}

TEST(Produce, NullRecordsAreNoBatch) {
  BrokerRig rig;
  create(rig, "t");
  const Buffer unused;
  ProduceRequest request = produce_request("t", unused);
  request.topic_data[0].partition_data[0].records.reset();

  const auto response = rig.ask<ProduceResponse>(request, 12);

  EXPECT_EQ(response->responses[0].partition_responses[0].error_code, code(Error::invalid_record));
}

TEST(Produce, AnUnfinishedSecondBatchIsCutOff) {
  BrokerRig rig;
  create(rig, "t");
  Buffer records = batch();
  const Buffer more = batch();
  records.insert(records.end(), more.begin(), more.end() - 10);

  EXPECT_EQ(produce(rig, "t", records).error_code, 0);

  const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", 0), 12);
  EXPECT_EQ(fetched->responses[0].partitions[0].records->size(), more.size());
}

TEST(Produce, BatchesAboveTheTopicsLimitAreTooLarge) {
  BrokerRig rig({{"message.max.bytes", "100"}});
  create(rig, "t");
  create(rig, "wide", 1, {{"max.message.bytes", "2000"}});
  const Buffer large = batch(10);

  EXPECT_EQ(produce(rig, "t", large).error_code, code(Error::message_too_large));
  EXPECT_EQ(produce(rig, "t", batch(1)).error_code, 0);
  EXPECT_EQ(produce(rig, "wide", large).error_code, 0);
}

TEST(Produce, TimestampsTooFarAheadAreRefusedRecordByRecord) {
  BrokerRig rig;
  create(rig, "t");
  const Buffer records = batch_at({start_ms, start_ms + 3'600'001, start_ms + 3'600'000});

  const auto response = rig.ask<ProduceResponse>(produce_request("t", records), 12);

  const auto& partition = response->responses[0].partition_responses[0];
  EXPECT_EQ(partition.error_code, code(Error::invalid_timestamp));
  EXPECT_EQ(partition.error_message,
            "One or more records have been rejected due to invalid timestamp");
  ASSERT_EQ(partition.record_errors.size(), 1U);
  EXPECT_EQ(partition.record_errors[0].batch_index, 1);
  EXPECT_EQ(partition.record_errors[0].batch_index_error_message,
            "Timestamp 1700003600001 of message with offset 1 is out of range. The timestamp "
            "should be within [-9223370336854775807, 1700003600000]");
  EXPECT_EQ(produce(rig, "t", batch_at({-1, 5})).error_code, 0);
}

TEST(Produce, CompactedTopicsWantKeys) {
  BrokerRig rig;
  create(rig, "t", 1, {{"cleanup.policy", "compact"}});
  protocol::BatchBuilder builder{{}};
  builder.add({.timestamp = start_ms, .key = {}, .value = protocol::as_bytes("v")});
  Buffer records;
  builder.finish(records);

  const auto response = rig.ask<ProduceResponse>(produce_request("t", records), 8);

  const auto& partition = response->responses[0].partition_responses[0];
  EXPECT_EQ(partition.error_code, code(Error::invalid_record));
  ASSERT_EQ(partition.record_errors.size(), 1U);
  EXPECT_EQ(partition.record_errors[0].batch_index_error_message,
            "Compacted topic cannot accept message without key in topic partition t-0");
  EXPECT_EQ(partition.error_message,
            "One or more records have been rejected due to 1 record errors in total, and only "
            "showing the first three errors at most: [RecordError(batchIndex=0, "
            "message='Compacted topic cannot accept message without key in topic partition t-0')]");
  EXPECT_EQ(produce(rig, "t", batch()).error_code, 0);
}

TEST(Produce, MillionsOfBadRecordsAreCountedAndTheFirstOnesTold) {
  BrokerRig rig;
  create(rig, "t", 1, {{"cleanup.policy", "compact"}});
  protocol::BatchBuilder builder{{}};
  for (int i = 0; i < 30'000; ++i) builder.add({.timestamp = start_ms, .key = {}, .value = {}});
  Buffer plain;
  builder.finish(plain);
  const Buffer records = compressed(plain, Compression::zstd);

  const auto response = rig.ask<ProduceResponse>(produce_request("t", records), 12);

  const auto& partition = response->responses[0].partition_responses[0];
  EXPECT_EQ(partition.error_code, code(Error::invalid_record));
  EXPECT_TRUE(partition.error_message->starts_with(
      "One or more records have been rejected due to 30000 record errors in total"));
  ASSERT_EQ(partition.record_errors.size(), 10'000U);
  EXPECT_EQ(partition.record_errors.back().batch_index, 9'999);
}

TEST(Produce, LogAppendTimeIsStampedAndAnswered) {
  BrokerRig rig;
  create(rig, "t", 1, {{"message.timestamp.type", "LogAppendTime"}});
  rig.host.now_ms = start_ms + 77;

  EXPECT_EQ(produce(rig, "t", batch_at({5, 6})).log_append_time_ms, start_ms + 77);

  const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", 0), 12);
  const auto stored =
      *protocol::RecordBatchView::first(*fetched->responses[0].partitions[0].records);
  EXPECT_EQ(stored.timestamp_type(), protocol::TimestampType::log_append_time);
  EXPECT_EQ(stored.max_timestamp(), start_ms + 77);
  EXPECT_TRUE(stored.validate());
}

TEST(Produce, AWrongMaximumTimestampIsPutRight) {
  BrokerRig rig;
  create(rig, "t");
  Buffer records = batch_at({start_ms, start_ms + 9});
  put(records, 35, std::int64_t{5});
  fix_crc(records);

  EXPECT_EQ(produce(rig, "t", records).error_code, 0);

  const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", 0), 12);
  const auto stored =
      *protocol::RecordBatchView::first(*fetched->responses[0].partitions[0].records);
  EXPECT_EQ(stored.max_timestamp(), start_ms + 9);
  EXPECT_TRUE(stored.validate());
}

TEST(Produce, ZstdNeedsVersionSeven) {
  BrokerRig rig;
  create(rig, "t");
  const Buffer records = compressed(batch(3), Compression::zstd);

  EXPECT_EQ(produce(rig, "t", records, 6).error_code, code(Error::unsupported_compression_type));
  EXPECT_EQ(produce(rig, "t", records, 7).error_code, 0);
}

TEST(Produce, WithoutAcknowledgementNothingComesBackAndErrorsClose) {
  BrokerRig rig;
  create(rig, "t");
  const Buffer records = batch();
  ProduceRequest request = produce_request("t", records);
  request.acks = 0;
  EXPECT_EQ(rig.send(request, 9)->wait(), Outcome::none);

  request.topic_data[0].partition_data[0].index = 4;
  EXPECT_EQ(rig.send(request, 9)->wait(), Outcome::closed);
  EXPECT_EQ(list_offset(rig, "t", -1).offset, 1);
}

TEST(Produce, OtherAcknowledgementsThanZeroOneAndAllAreInvalid) {
  BrokerRig rig;
  create(rig, "t");
  const Buffer records = batch();
  ProduceRequest request = produce_request("t", records);
  for (const std::int16_t acks : {2, -2}) {
    request.acks = acks;
    const auto response = rig.ask<ProduceResponse>(request, 9);
    EXPECT_EQ(response->responses[0].partition_responses[0].error_code,
              code(Error::invalid_required_acks));
  }
  request.acks = 1;
  EXPECT_EQ(rig.ask<ProduceResponse>(request, 9)->responses[0].partition_responses[0].error_code,
            0);
}

TEST(Produce, InternalTopicsAreForAdministratorsAndTheHost) {
  BrokerRig rig;
  create(rig, "__consumer_offsets");
  const Buffer records = batch();
  const ProduceRequest request = produce_request("__consumer_offsets", records);
  const auto error_for = [&](const Caller& caller) {
    const auto response = rig.ask<ProduceResponse>(request, 9, caller);
    return response->responses[0].partition_responses[0].error_code;
  };
  EXPECT_EQ(error_for({}), code(Error::invalid_topic_exception));
  EXPECT_EQ(error_for({.client_id = "__admin_client"}), 0);
  EXPECT_EQ(error_for({.client_id = "", .connection = 0}), 0);
}

Buffer transactional(const Producer& producer) {
  Buffer records = batch(1, producer);
  put(records, 21, std::int16_t{0x10});
  fix_crc(records);
  return records;
}

TEST(Produce, TransactionalBatchesNeedAnIdAndATransaction) {
  BrokerRig rig;
  create(rig, "t", 2);
  const Buffer records = transactional({7, 0, 0});
  const Buffer others = transactional({8, 0, 0});
  ProduceRequest request = produce_request("t", records);

  auto response = rig.ask<ProduceResponse>(request, 12);
  EXPECT_EQ(response->responses[0].partition_responses[0].error_code,
            code(Error::transactional_id_authorization_failed));

  request.transactional_id = "tx";
  response = rig.ask<ProduceResponse>(request, 12);
  EXPECT_EQ(response->responses[0].partition_responses[0].error_code,
            code(Error::invalid_producer_id_mapping));

  auto& second = request.topic_data[0].partition_data.emplace_back();
  second.index = 1;
  second.records = Bytes(others);
  response = rig.ask<ProduceResponse>(request, 12);
  for (const auto& partition : response->responses[0].partition_responses) {
    EXPECT_EQ(partition.error_code, code(Error::invalid_producer_id_mapping));
    EXPECT_EQ(partition.error_message, "Transactional records contained more than one producer ID");
  }
}

}  // namespace
}  // namespace muster::embedded::test
