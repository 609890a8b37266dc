// DeleteRecords and what other APIs say of a log that starts later; DescribeLogDirs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <muster/protocol/messages/delete_records_request.hpp>
#include <muster/protocol/messages/delete_records_response.hpp>
#include <muster/protocol/messages/describe_log_dirs_request.hpp>
#include <muster/protocol/messages/describe_log_dirs_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using Result = protocol::DeleteRecordsResponse::DeleteRecordsPartitionResult;

Result delete_records(BrokerRig& rig, std::string_view topic, std::int64_t offset,
                      std::int32_t partition = 0) {
  protocol::DeleteRecordsRequest request;
  auto& asked = request.topics.emplace_back();
  asked.name = topic;
  auto& part = asked.partitions.emplace_back();
  part.partition_index = partition;
  part.offset = offset;
  const auto response = rig.ask<protocol::DeleteRecordsResponse>(request, 2);
  return response->topics.at(0).partitions.at(0);
}

TEST(DeleteRecords, MovesTheStartOfTheLog) {
  BrokerRig rig;
  create(rig, "t");
  for (int i = 0; i < 3; ++i) produce(rig, "t", batch(2));

  const Result result = delete_records(rig, "t", 3);
  EXPECT_EQ(result.error_code, 0);
  EXPECT_EQ(result.low_watermark, 3);
  EXPECT_EQ(list_offset(rig, "t", -2).offset, 3);
  EXPECT_EQ(produce(rig, "t", batch(2)).log_start_offset, 3);
  const auto below = rig.ask<protocol::FetchResponse>(fetch_request("t", 2), 12);
  EXPECT_EQ(below->responses[0].partitions[0].error_code,
            protocol::code(Error::offset_out_of_range));
  const auto at = rig.ask<protocol::FetchResponse>(fetch_request("t", 3), 12);
  EXPECT_EQ(at->responses[0].partitions[0].error_code, 0);
  EXPECT_EQ(at->responses[0].partitions[0].log_start_offset, 3);
  EXPECT_EQ(
      protocol::RecordBatchView::first(*at->responses[0].partitions[0].records)->base_offset(), 2);
}

TEST(DeleteRecords, LeavesALogThatStartsThereAlready) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(4));
  delete_records(rig, "t", 3);
  EXPECT_EQ(delete_records(rig, "t", 1).low_watermark, 3);
  EXPECT_EQ(list_offset(rig, "t", -2).offset, 3);
}

TEST(DeleteRecords, ByMinusOneDeletesAll) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(4));
  EXPECT_EQ(delete_records(rig, "t", -1).low_watermark, 4);
  EXPECT_EQ(list_offset(rig, "t", -2).offset, 4);
  EXPECT_EQ(produce(rig, "t", batch(1)).base_offset, 4);
}

TEST(DeleteRecords, RefusesWhatKafkaRefuses) {
  BrokerRig rig;
  create(rig, "t");
  create(rig, "__consumer_offsets");
  create(rig, "compacted", 1, {{"cleanup.policy", "compact"}});
  const auto fault = [&](std::string_view topic, std::int64_t offset, std::int32_t partition = 0) {
    const Result result = delete_records(rig, topic, offset, partition);
    EXPECT_EQ(result.low_watermark, -1);
    return result.error_code;
  };
  EXPECT_EQ(fault("t", 1), protocol::code(Error::offset_out_of_range));
  EXPECT_EQ(fault("t", -2), protocol::code(Error::offset_out_of_range));
  EXPECT_EQ(fault("t", 0, 1), protocol::code(Error::unknown_topic_or_partition));
  EXPECT_EQ(fault("missing", 0), protocol::code(Error::unknown_topic_or_partition));
  EXPECT_EQ(fault("__consumer_offsets", 0), protocol::code(Error::invalid_topic_exception));
  EXPECT_EQ(fault("compacted", 0), protocol::code(Error::policy_violation));
  rig.host.denials = {{6, 2, "t"}};
  EXPECT_EQ(fault("t", 0), protocol::code(Error::topic_authorization_failed));
}

TEST(DeleteRecords, LeavesOnlyRecordsThatAreThereToBeFoundByTime) {
  BrokerRig rig;
  create(rig, "t");
  const auto gzip = protocol::Compression::gzip;
  produce(rig, "t", compressed(batch_at({start_ms + 50, start_ms + 10, start_ms + 20}), gzip));
  produce(rig, "t", batch_at({start_ms + 5, start_ms + 30}));
  delete_records(rig, "t", 1);

  EXPECT_EQ(list_offset(rig, "t", start_ms + 15).offset, 2);
  // Of the first batch only its deleted record reached so far.
  EXPECT_EQ(list_offset(rig, "t", start_ms + 25).offset, 4);
  EXPECT_EQ(list_offset(rig, "t", start_ms + 31).offset, -1);
  EXPECT_EQ(list_offset(rig, "t", -3).offset, 4);
  EXPECT_EQ(list_offset(rig, "t", -3).timestamp, start_ms + 30);
}

using Directory = protocol::DescribeLogDirsResponse::DescribeLogDirsResult;

TEST(DescribeLogDirs, TellsTheSizeOfEachPartition) {
  BrokerRig rig;
  create(rig, "a", 2);
  create(rig, "b");
  const Buffer bytes = batch(2);
  produce(rig, "a", bytes);
  const auto all = rig.ask<protocol::DescribeLogDirsResponse>(
      protocol::DescribeLogDirsRequest{.topics = std::nullopt}, 5);
  EXPECT_EQ(all->error_code, 0);
  ASSERT_EQ(all->results.size(), 1U);
  const Directory& directory = all->results[0];
  EXPECT_FALSE(directory.log_dir.empty());
  ASSERT_EQ(directory.topics.size(), 2U);
  EXPECT_EQ(directory.topics[0].name, "a");
  ASSERT_EQ(directory.topics[0].partitions.size(), 2U);
  EXPECT_EQ(directory.topics[0].partitions[0].partition_size,
            static_cast<std::int64_t>(bytes.size()));
  EXPECT_EQ(directory.topics[0].partitions[1].partition_size, 0);
  EXPECT_EQ(directory.topics[0].partitions[0].offset_lag, 0);
}

TEST(DescribeLogDirs, TellsOfThePartitionsThatAreAskedFor) {
  BrokerRig rig;
  create(rig, "a", 2);
  create(rig, "b");
  protocol::DescribeLogDirsRequest request;
  request.topics.emplace();
  auto& asked = request.topics->emplace_back();
  asked.topic = "a";
  asked.partitions = {1, 7};
  request.topics->emplace_back().topic = "missing";
  const auto some = rig.ask<protocol::DescribeLogDirsResponse>(request, 1);
  ASSERT_EQ(some->results.at(0).topics.size(), 1U);
  ASSERT_EQ(some->results[0].topics[0].partitions.size(), 1U);
  EXPECT_EQ(some->results[0].topics[0].partitions[0].partition_index, 1);
}

TEST(DescribeLogDirs, NeedsToDescribeTheCluster) {
  BrokerRig rig;
  rig.host.denials = {{8, 4, "kafka-cluster"}};
  const auto refused =
      rig.ask<protocol::DescribeLogDirsResponse>(protocol::DescribeLogDirsRequest{}, 3);
  EXPECT_EQ(refused->error_code, protocol::code(Error::cluster_authorization_failed));
  EXPECT_TRUE(refused->results.empty());
}

}  // namespace
}  // namespace muster::embedded::test
