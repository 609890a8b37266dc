#include <gtest/gtest.h>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::Compression;
using protocol::ListOffsetsRequest;
using protocol::ListOffsetsResponse;
using Found = ListOffsetsResponse::ListOffsetsPartitionResponse;

Found found(std::int64_t offset, std::int64_t timestamp, std::int32_t epoch) {
  Found out;
  out.offset = offset;
  out.timestamp = timestamp;
  out.leader_epoch = epoch;
  return out;
}

TEST(ListOffsets, EndsAreKnownInEveryVersion) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(3));
  for (std::int16_t version = 1; version <= 11; ++version) {
    const std::int32_t epoch = version < 4 ? -1 : 0;
    EXPECT_EQ(list_offset(rig, "t", -1, version), found(3, -1, epoch)) << version;
    EXPECT_EQ(list_offset(rig, "t", -2, version), found(0, -1, epoch)) << version;
  }
}

TEST(ListOffsets, AnEmptyLogHasEndsButNoRecords) {
  BrokerRig rig;
  create(rig, "t");
  EXPECT_EQ(list_offset(rig, "t", -1), found(0, -1, 0));
  EXPECT_EQ(list_offset(rig, "t", -2), found(0, -1, 0));
  EXPECT_EQ(list_offset(rig, "t", -3), found(-1, -1, -1));
  EXPECT_EQ(list_offset(rig, "t", 0), found(-1, -1, -1));
}

TEST(ListOffsets, NothingIsTiered) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(3));
  EXPECT_EQ(list_offset(rig, "t", -4), found(0, -1, 0));
  EXPECT_EQ(list_offset(rig, "t", -5), found(-1, -1, -1));
  EXPECT_EQ(list_offset(rig, "t", -6), found(-1, -1, -1));
}

TEST(ListOffsets, SpecialTimestampsNeedTheirVersion) {
  BrokerRig rig;
  create(rig, "t");
  const std::vector<std::pair<std::int64_t, std::int16_t>> since = {
      {-3, 7}, {-4, 8}, {-5, 9}, {-6, 11}};
  for (const auto& [timestamp, version] : since) {
    const auto before = static_cast<std::int16_t>(version - 1);
    EXPECT_EQ(list_offset(rig, "t", timestamp, before).error_code,
              code(Error::unsupported_version));
    EXPECT_EQ(list_offset(rig, "t", timestamp, version).error_code, 0);
  }
  EXPECT_EQ(list_offset(rig, "t", -7).error_code, code(Error::unsupported_version));
}

class ByTime : public ::testing::TestWithParam<Compression> {};

TEST_P(ByTime, RecordsAreFoundInsideBatches) {
  BrokerRig rig;
  create(rig, "t");
  const auto send = [&](const std::vector<std::int64_t>& timestamps) {
    const Buffer plain = batch_at(timestamps);
    const Buffer records = GetParam() == Compression::none ? plain : compressed(plain, GetParam());
    ASSERT_EQ(produce(rig, "t", records).error_code, 0);
  };
  send({100, 200, 150});
  send({120, 130});
  send({300, 400, 400});
  send({50});

  EXPECT_EQ(list_offset(rig, "t", 0), found(0, 100, 0));
  EXPECT_EQ(list_offset(rig, "t", 100), found(0, 100, 0));
  EXPECT_EQ(list_offset(rig, "t", 101), found(1, 200, 0));
  EXPECT_EQ(list_offset(rig, "t", 201), found(5, 300, 0));
  EXPECT_EQ(list_offset(rig, "t", 301), found(6, 400, 0));
  EXPECT_EQ(list_offset(rig, "t", 401), found(-1, -1, -1));
  EXPECT_EQ(list_offset(rig, "t", -3), found(6, 400, 0));
}

INSTANTIATE_TEST_SUITE_P(Codecs, ByTime,
                         ::testing::Values(Compression::none, Compression::gzip,
                                           Compression::snappy, Compression::lz4,
                                           Compression::zstd));

TEST(ListOffsets, TheFirstOfSeveralNewestRecordsIsTheNewest) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch_at({7, 9}));
  produce(rig, "t", batch_at({9, 9}));
  EXPECT_EQ(list_offset(rig, "t", -3), found(1, 9, 0));
}

TEST(ListOffsets, RecordsOfABatchWithAppendTimeAllHaveIt) {
  BrokerRig rig;
  create(rig, "t", 1, {{"message.timestamp.type", "LogAppendTime"}});
  produce(rig, "t", batch_at({5, 6}));
  EXPECT_EQ(list_offset(rig, "t", 0), found(0, start_ms, 0));
  EXPECT_EQ(list_offset(rig, "t", start_ms + 1), found(-1, -1, -1));
  EXPECT_EQ(list_offset(rig, "t", -3), found(0, start_ms, 0));
}

TEST(ListOffsets, RecordsWithoutTimestampsAreTheNewestOnlyAmongThemselves) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch_at({-1, -1}));
  EXPECT_EQ(list_offset(rig, "t", -3), found(0, -1, 0));
  EXPECT_EQ(list_offset(rig, "t", 0), found(-1, -1, -1));
}

TEST(ListOffsets, AskingTwiceForAPartitionIsInvalid) {
  BrokerRig rig;
  create(rig, "t", 2);
  ListOffsetsRequest request = list_request("t", -1);
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions.emplace_back().partition_index = 1;
  request.topics[0].partitions[2].timestamp = -1;

  const auto response = rig.ask<ListOffsetsResponse>(request, 6);

  ASSERT_EQ(response->topics.at(0).partitions.size(), 2U);
  EXPECT_EQ(response->topics[0].partitions[0].error_code, code(Error::invalid_request));
  EXPECT_EQ(response->topics[0].partitions[1].error_code, 0);
}

TEST(ListOffsets, UnknownPartitionsAndEpochsAreTold) {
  BrokerRig rig;
  create(rig, "t");
  EXPECT_EQ(list_offset(rig, "nope", -1).error_code, code(Error::unknown_topic_or_partition));
  const auto error_for = [&](std::int32_t epoch) {
    ListOffsetsRequest request = list_request("t", -1);
    request.topics[0].partitions[0].current_leader_epoch = epoch;
    return rig.ask<ListOffsetsResponse>(request, 4)->topics[0].partitions[0].error_code;
  };
  EXPECT_EQ(error_for(0), 0);
  EXPECT_EQ(error_for(1), code(Error::unknown_leader_epoch));
  EXPECT_EQ(error_for(-2), code(Error::fenced_leader_epoch));
}

}  // namespace
}  // namespace muster::embedded::test
