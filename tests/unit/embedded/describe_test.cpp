// DescribeCluster, DescribeTopicPartitions, OffsetForLeaderEpoch, InitProducerId.
#include <gtest/gtest.h>

#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_cluster_response.hpp>
#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_response.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/init_producer_id_response.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::DescribeClusterRequest;
using protocol::DescribeClusterResponse;
using protocol::DescribeTopicPartitionsRequest;
using protocol::DescribeTopicPartitionsResponse;
using protocol::InitProducerIdRequest;
using protocol::InitProducerIdResponse;
using protocol::OffsetForLeaderEpochRequest;
using protocol::OffsetForLeaderEpochResponse;

TEST(DescribeCluster, EveryVersionNamesTheBroker) {
  BrokerRig rig({{"broker.rack", "r1"}});
  DescribeClusterRequest request;
  request.include_cluster_authorized_operations = true;
  for (std::int16_t version = 0; version <= 2; ++version) {
    const auto response = rig.ask<DescribeClusterResponse>(request, version);
    EXPECT_EQ(response->error_code, 0) << version;
    EXPECT_FALSE(response->error_message);
    EXPECT_EQ(response->endpoint_type, 1);
    EXPECT_EQ(response->cluster_id, rig.cluster_id());
    EXPECT_EQ(response->controller_id, RigHost::node_id);
    ASSERT_EQ(response->brokers.size(), 1U);
    EXPECT_EQ(response->brokers[0].broker_id, RigHost::node_id);
    EXPECT_EQ(response->brokers[0].host, "127.0.0.1");
    EXPECT_EQ(response->brokers[0].port, RigHost::port);
    EXPECT_EQ(response->brokers[0].rack, "r1");
    EXPECT_FALSE(response->brokers[0].is_fenced);
    EXPECT_EQ(response->cluster_authorized_operations, 8096);
  }
}

TEST(DescribeCluster, OnlyBrokersAreHere) {
  BrokerRig rig;
  DescribeClusterRequest request;
  request.endpoint_type = 2;
  auto response = rig.ask<DescribeClusterResponse>(request, 1);
  EXPECT_EQ(response->error_code, code(Error::mismatched_endpoint_type));
  EXPECT_EQ(response->error_message,
            "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type "
            "CONTROLLER");
  EXPECT_TRUE(response->brokers.empty());

  request.endpoint_type = 3;
  response = rig.ask<DescribeClusterResponse>(request, 1);
  EXPECT_EQ(response->error_code, code(Error::unsupported_endpoint_type));
  EXPECT_EQ(response->error_message, "Unsupported endpoint type 3");
}

DescribeTopicPartitionsRequest describing(const std::vector<std::string_view>& names) {
  DescribeTopicPartitionsRequest request;
  for (const std::string_view name : names) request.topics.emplace_back().name = name;
  return request;
}

TEST(DescribeTopicPartitions, DescribesInOrderOfNames) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t", 2);
  const auto response =
      rig.ask<DescribeTopicPartitionsResponse>(describing({"t", "bad name", "nope"}), 0);
  ASSERT_EQ(response->topics.size(), 3U);
  EXPECT_EQ(response->topics[0].error_code, code(Error::invalid_topic_exception));
  EXPECT_EQ(response->topics[1].error_code, code(Error::unknown_topic_or_partition));
  EXPECT_EQ(response->topics[1].name, "nope");
  const auto& topic = response->topics[2];
  EXPECT_EQ(topic.name, "t");
  EXPECT_EQ(topic.topic_id, id);
  EXPECT_EQ(topic.topic_authorized_operations, 3576);
  ASSERT_EQ(topic.partitions.size(), 2U);
  EXPECT_EQ(topic.partitions[1].partition_index, 1);
  EXPECT_EQ(topic.partitions[1].leader_id, RigHost::node_id);
  EXPECT_EQ(topic.partitions[1].leader_epoch, 0);
  EXPECT_EQ(topic.partitions[1].isr_nodes, std::vector{RigHost::node_id});
  EXPECT_TRUE(topic.partitions[1].eligible_leader_replicas);
  EXPECT_TRUE(topic.partitions[1].last_known_elr);
  EXPECT_FALSE(response->next_cursor);
}

TEST(DescribeTopicPartitions, PagesGoOnWhereTheLastOneEnded) {
  BrokerRig rig;
  create(rig, "a", 3);
  create(rig, "b", 2);
  DescribeTopicPartitionsRequest request;
  request.response_partition_limit = 2;
  std::vector<std::string> seen;
  for (int page = 0; page < 3; ++page) {
    const auto response = rig.ask<DescribeTopicPartitionsResponse>(request, 0);
    for (const auto& topic : response->topics) {
      for (const auto& partition : topic.partitions) {
        seen.push_back(std::string(*topic.name) + std::to_string(partition.partition_index));
      }
    }
    if (!response->next_cursor) break;
    request.cursor.emplace();
    request.cursor->topic_name = response->next_cursor->topic_name == "a" ? "a" : "b";
    request.cursor->partition_index = response->next_cursor->partition_index;
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"a0", "a1", "a2", "b0", "b1"}));
}

TEST(DescribeTopicPartitions, ThePageThatJustFitsPointsToTheNextTopic) {
  BrokerRig rig({{"max.request.partition.size.limit", "3"}});
  create(rig, "a", 3);
  create(rig, "b", 2);
  const auto response = rig.ask<DescribeTopicPartitionsResponse>(describing({}), 0);
  EXPECT_EQ(response->topics.size(), 1U);
  ASSERT_TRUE(response->next_cursor);
  EXPECT_EQ(response->next_cursor->topic_name, "b");
  EXPECT_EQ(response->next_cursor->partition_index, 0);
}

TEST(DescribeTopicPartitions, ACursorOutsideTheRequestIsInvalid) {
  BrokerRig rig;
  create(rig, "t");
  DescribeTopicPartitionsRequest request = describing({"t"});
  request.cursor.emplace().topic_name = "u";
  EXPECT_EQ(rig.ask<DescribeTopicPartitionsResponse>(request, 0)->topics.at(0).error_code,
            code(Error::invalid_request));
  request.cursor->topic_name = "t";
  request.cursor->partition_index = -1;
  EXPECT_EQ(rig.ask<DescribeTopicPartitionsResponse>(request, 0)->topics.at(0).error_code,
            code(Error::invalid_request));
}

TEST(OffsetForLeaderEpoch, TheOneEpochEndsWhereTheLogEnds) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(5));
  const auto ask = [&](std::int32_t current, std::int32_t epoch, std::int16_t version) {
    OffsetForLeaderEpochRequest request;
    auto& topic = request.topics.emplace_back();
    topic.topic = "t";
    auto& partition = topic.partitions.emplace_back();
    partition.current_leader_epoch = current;
    partition.leader_epoch = epoch;
    return rig.ask<OffsetForLeaderEpochResponse>(request, version)->topics.at(0).partitions.at(0);
  };
  const auto expect = [](const OffsetForLeaderEpochResponse::EpochEndOffset& found, Error error,
                         std::int32_t epoch, std::int64_t end) {
    EXPECT_EQ(found.error_code, code(error));
    EXPECT_EQ(found.leader_epoch, epoch);
    EXPECT_EQ(found.end_offset, end);
  };
  for (std::int16_t version = 2; version <= 4; ++version) {
    expect(ask(-1, 0, version), Error::none, 0, 5);
    expect(ask(0, 0, version), Error::none, 0, 5);
    expect(ask(-1, 1, version), Error::none, -1, -1);
    expect(ask(-1, -1, version), Error::none, -1, -1);
    expect(ask(-1, -5, version), Error::none, -5, 0);
    expect(ask(1, 0, version), Error::unknown_leader_epoch, -1, -1);
    expect(ask(-2, 0, version), Error::fenced_leader_epoch, -1, -1);
  }
}

TEST(OffsetForLeaderEpoch, UnknownPartitionsAreTold) {
  BrokerRig rig;
  OffsetForLeaderEpochRequest request;
  request.topics.emplace_back().topic = "t";
  request.topics[0].partitions.emplace_back();
  EXPECT_EQ(rig.ask<OffsetForLeaderEpochResponse>(request, 4)->topics[0].partitions[0].error_code,
            code(Error::unknown_topic_or_partition));
}

InitProducerIdRequest initialising(std::optional<std::string_view> transactional_id) {
  InitProducerIdRequest request;
  request.transactional_id = transactional_id;
  request.transaction_timeout_ms = 1000;
  return request;
}

TEST(InitProducerId, IdsAreNeverGivenTwice) {
  BrokerRig rig;
  std::int64_t last = -1;
  for (int i = 0; i < 2500; ++i) {
    const auto version = static_cast<std::int16_t>(i % 6);
    const auto response = rig.ask<InitProducerIdResponse>(initialising(std::nullopt), version);
    ASSERT_EQ(response->error_code, 0);
    ASSERT_EQ(response->producer_epoch, 0);
    ASSERT_GT(response->producer_id, last);
    last = response->producer_id;
  }
}

TEST(InitProducerId, ThereAreNoTransactions) {
  BrokerRig rig;
  const auto error_of = [&](const InitProducerIdRequest& request) {
    const auto response = rig.ask<InitProducerIdResponse>(request, 5);
    EXPECT_EQ(response->producer_id, -1);
    EXPECT_EQ(response->producer_epoch, -1);
    return response->error_code;
  };
  EXPECT_EQ(error_of(initialising("tx")), code(Error::unsupported_version));
  EXPECT_EQ(error_of(initialising("")), code(Error::invalid_request));
  InitProducerIdRequest half = initialising(std::nullopt);
  half.producer_id = 5;
  EXPECT_EQ(error_of(half), code(Error::invalid_request));
}

}  // namespace
}  // namespace muster::embedded::test
