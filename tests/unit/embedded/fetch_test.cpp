#include <gtest/gtest.h>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::FetchRequest;
using protocol::FetchResponse;

// The partitions of an answer, whatever topic they are of.
std::vector<FetchResponse::PartitionData> partitions(const FetchResponse& response) {
  std::vector<FetchResponse::PartitionData> all;
  for (const auto& topic : response.responses) {
    all.insert(all.end(), topic.partitions.begin(), topic.partitions.end());
  }
  return all;
}

std::size_t batches_in(const FetchResponse::PartitionData& partition) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& batch : protocol::Batches(*partition.records)) ++count;
  return count;
}

TEST(Fetch, GivesWholeBatchesFromTheOneThatHoldsTheOffset) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(3));
  produce(rig, "t", batch(2));

  const auto response = rig.ask<FetchResponse>(fetch_request("t", 1), 12);

  const auto& partition = response->responses.at(0).partitions.at(0);
  EXPECT_EQ(partition.error_code, 0);
  EXPECT_EQ(partition.high_watermark, 5);
  EXPECT_EQ(partition.last_stable_offset, 5);
  EXPECT_EQ(partition.log_start_offset, 0);
  EXPECT_EQ(partition.preferred_read_replica, -1);
  EXPECT_FALSE(partition.aborted_transactions);
  EXPECT_EQ(batches_in(partition), 2U);
}

TEST(Fetch, BatchesLeaveWithoutACopy) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch());
  produce(rig, "t", batch());

  const auto answer = rig.send(fetch_request("t", 0), 12);

  EXPECT_EQ(answer->wait(), Outcome::body);
  EXPECT_GE(answer->parts(), 3U);  // framing, what lies in the log, framing
}

// What the codec makes of the same answer, copies and all.
Buffer encoded(const FetchResponse& message, std::int16_t version) {
  Buffer body;
  protocol::encode(message, version, body);
  return body;
}

TEST(Fetch, TheBodyIsWhatTheCodecWouldWriteInEveryVersion) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "first", 2);
  create(rig, "second");
  const Buffer records = batch(2);
  produce(rig, "first", records);
  produce(rig, "first", records);
  produce(rig, "second", records);
  for (std::int16_t version = 4; version <= 18; ++version) {
    FetchRequest request = fetch_request("first", 0);
    request.topics[0].topic_id = id;
    request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
    request.topics[0].partitions[1].partition = 1;
    request.topics.push_back(request.topics[0]);
    request.topics[1].topic = "unknown";
    request.topics[1].topic_id = {};

    const auto answer = rig.send(request, version);

    const auto response = BrokerRig::decoded<FetchResponse>(answer, version);
    EXPECT_EQ(encoded(*response, version), answer->body()) << version;
    EXPECT_EQ(batches_in(response->responses[0].partitions[0]), 2U);
    EXPECT_EQ(response->responses[0].partitions[1].records, Bytes{});
    const Error unknown =
        version < 13 ? Error::unknown_topic_or_partition : Error::unknown_topic_id;
    EXPECT_EQ(response->responses[1].partitions[0].error_code, code(unknown));
    EXPECT_EQ(response->responses[1].partitions[0].high_watermark, -1);
  }
}

TEST(Fetch, OffsetsOutsideTheLogAreOutOfRange) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(2));
  for (const std::int64_t offset : {-1, 3}) {
    const auto response = rig.ask<FetchResponse>(fetch_request("t", offset), 11);
    const auto& partition = response->responses[0].partitions[0];
    EXPECT_EQ(partition.error_code, code(Error::offset_out_of_range));
    EXPECT_EQ(partition.high_watermark, -1);
    EXPECT_EQ(partition.last_stable_offset, -1);
    EXPECT_EQ(partition.log_start_offset, -1);
    EXPECT_EQ(partition.records, Bytes{});
  }
  const auto at_end = rig.ask<FetchResponse>(fetch_request("t", 2), 11);
  EXPECT_EQ(at_end->responses[0].partitions[0].error_code, 0);
  EXPECT_EQ(at_end->responses[0].partitions[0].records, Bytes{});
}

TEST(Fetch, CurrentLeaderEpochsAreChecked) {
  BrokerRig rig;
  create(rig, "t");
  const auto error_for = [&](std::int32_t epoch) {
    FetchRequest request = fetch_request("t", 0);
    request.topics[0].partitions[0].current_leader_epoch = epoch;
    return rig.ask<FetchResponse>(request, 11)->responses[0].partitions[0].error_code;
  };
  EXPECT_EQ(error_for(-1), 0);
  EXPECT_EQ(error_for(0), 0);
  EXPECT_EQ(error_for(1), code(Error::unknown_leader_epoch));
}

TEST(Fetch, LastFetchedEpochsShowWhereHistoriesPart) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(2));
  FetchRequest request = fetch_request("t", 9);
  request.topics[0].partitions[0].last_fetched_epoch = 0;
  auto response = rig.ask<FetchResponse>(request, 12);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, 0);
  EXPECT_EQ(response->responses[0].partitions[0].diverging_epoch.epoch, 0);
  EXPECT_EQ(response->responses[0].partitions[0].diverging_epoch.end_offset, 2);

  request.topics[0].partitions[0].last_fetched_epoch = 3;
  response = rig.ask<FetchResponse>(request, 12);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, code(Error::offset_out_of_range));
}

TEST(Fetch, ReadCommittedGetsAnEmptyListOfAbortedTransactions) {
  BrokerRig rig;
  create(rig, "t");
  FetchRequest request = fetch_request("t", 0);
  request.isolation_level = 1;

  const auto response = rig.ask<FetchResponse>(request, 11);

  ASSERT_TRUE(response->responses[0].partitions[0].aborted_transactions);
  EXPECT_TRUE(response->responses[0].partitions[0].aborted_transactions->empty());
}

TEST(Fetch, TheFirstBatchComesEvenIfItIsLargerThanEveryLimit) {
  BrokerRig rig;
  create(rig, "t", 2);
  for (std::int32_t partition : {0, 0, 1}) {
    const Buffer records = batch(4);
    rig.ask<protocol::ProduceResponse>(produce_request("t", records, partition), 9);
  }
  FetchRequest request = fetch_request("t", 0);
  request.max_bytes = 1;
  request.topics[0].partitions[0].partition_max_bytes = 1;
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;

  const auto response = rig.ask<FetchResponse>(request, 11);

  const auto all = partitions(*response);
  EXPECT_EQ(batches_in(all.at(0)), 1U);
  EXPECT_EQ(all.at(1).records, Bytes{});
}

TEST(Fetch, PartitionAndRequestLimitsBoundTheRest) {
  BrokerRig rig;
  create(rig, "t", 2);
  const Buffer records = batch();
  for (int i = 0; i < 4; ++i) {
    for (std::int32_t partition : {0, 1}) {
      rig.ask<protocol::ProduceResponse>(produce_request("t", records, partition), 9);
    }
  }
  const auto size = static_cast<std::int32_t>(records.size());
  FetchRequest request = fetch_request("t", 0);
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  request.topics[0].partitions[0].partition_max_bytes = 3 * size - 1;

  const auto response = rig.ask<FetchResponse>(request, 11);
  EXPECT_EQ(batches_in(response->responses.at(0).partitions.at(0)), 2U);

  request.max_bytes = 5 * size;
  const auto limited = rig.ask<FetchResponse>(request, 11);
  const auto all = partitions(*limited);
  EXPECT_EQ(all.at(0).records->size(), static_cast<std::size_t>(3 * size - 1));
  EXPECT_EQ(batches_in(all.at(0)), 2U);
  EXPECT_EQ(all.at(1).records->size(), static_cast<std::size_t>(2 * size + 1));
  EXPECT_EQ(batches_in(all.at(1)), 2U);
}

TEST(Fetch, TheBrokersOwnLimitBoundsTheRequests) {
  BrokerRig rig({{"fetch.max.bytes", "1024"}});
  create(rig, "t");
  const Buffer records = batch(20);
  ASSERT_GT(records.size(), 300U);
  for (int i = 0; i < 8; ++i) produce(rig, "t", records);

  const auto response = rig.ask<FetchResponse>(fetch_request("t", 0), 11);

  // The last batch is cut off, as Kafka's is.
  EXPECT_EQ(response->responses[0].partitions[0].records->size(), 1024U);
}

TEST(Fetch, SessionsAreNeverMadeAndUnknownOnesAreRefused) {
  BrokerRig rig;
  create(rig, "t");
  FetchRequest request = fetch_request("t", 0);
  request.session_epoch = 0;
  EXPECT_EQ(rig.ask<FetchResponse>(request, 12)->session_id, 0);
  EXPECT_EQ(rig.ask<FetchResponse>(request, 12)->responses.size(), 1U);

  request.session_id = 7;
  request.session_epoch = 1;
  const auto refused = rig.ask<FetchResponse>(request, 12);
  EXPECT_EQ(refused->error_code, code(Error::fetch_session_id_not_found));
  EXPECT_EQ(refused->session_id, 0);
  EXPECT_TRUE(refused->responses.empty());

  // Dropping a session that is not there, or never making one, is a full fetch.
  for (const std::int32_t epoch : {0, -1}) {
    request.session_epoch = epoch;
    const auto full = rig.ask<FetchResponse>(request, 12);
    EXPECT_EQ(full->error_code, 0);
    EXPECT_EQ(full->responses.size(), 1U);
  }
}

TEST(Fetch, AnUnknownIdIsAnsweredUnderThatId) {
  BrokerRig rig;
  FetchRequest request = fetch_request("", 0);
  request.topics[0].topic_id.bytes[3] = 9;
  const auto response = rig.ask<FetchResponse>(request, 13);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, code(Error::unknown_topic_id));
  EXPECT_EQ(response->responses[0].topic_id, request.topics[0].topic_id);
}

TEST(Fetch, NobodyFollowsThisBroker) {
  BrokerRig rig;
  create(rig, "t");
  FetchRequest request = fetch_request("t", 0);
  request.replica_id = 5;
  auto response = rig.ask<FetchResponse>(request, 11);
  EXPECT_EQ(response->responses[0].partitions[0].error_code,
            code(Error::not_leader_or_follower));

  request.topics[0].partitions[0].current_leader_epoch = 0;
  response = rig.ask<FetchResponse>(request, 11);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, code(Error::unknown_leader_epoch));
}

}  // namespace
}  // namespace muster::embedded::test
