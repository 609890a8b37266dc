// Each API with an authoriser that says no.
#include <gtest/gtest.h>

#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_partitions_response.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>
#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_cluster_response.hpp>
#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_response.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/init_producer_id_response.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

constexpr std::int32_t topic_type = 2;
constexpr std::int32_t cluster_type = 4;
constexpr std::int32_t transactional_type = 5;
constexpr std::int32_t read_op = 3;
constexpr std::int32_t write_op = 4;
constexpr std::int32_t create_op = 5;
constexpr std::int32_t delete_op = 6;
constexpr std::int32_t alter_op = 7;
constexpr std::int32_t describe_op = 8;
constexpr std::int32_t cluster_action_op = 9;
constexpr std::int32_t describe_configs_op = 10;
constexpr std::int32_t idempotent_write_op = 12;

class Authorisation : public ::testing::Test {
 protected:
  Authorisation() { create(rig, "t"); }

  void deny(std::int32_t operation, std::int32_t type, const std::string& resource = "*") {
    rig.host.denials.push_back({operation, type, resource});
  }

  BrokerRig rig;
  const std::int16_t topic_refused = code(Error::topic_authorization_failed);
};

TEST_F(Authorisation, ProduceNeedsWrite) {
  deny(write_op, topic_type);
  EXPECT_EQ(produce(rig, "t", batch()).error_code, topic_refused);
  EXPECT_EQ(produce(rig, "nope", batch()).error_code, topic_refused);
}

TEST_F(Authorisation, FetchNeedsRead) {
  deny(read_op, topic_type);
  const auto response = rig.ask<protocol::FetchResponse>(fetch_request("t", 0), 12);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, topic_refused);
}

TEST_F(Authorisation, FollowersNeedClusterAction) {
  deny(cluster_action_op, cluster_type);
  protocol::FetchRequest request = fetch_request("t", 0);
  request.replica_id = 1;
  const auto response = rig.ask<protocol::FetchResponse>(request, 12);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, topic_refused);
}

TEST_F(Authorisation, ListOffsetsNeedsDescribe) {
  deny(describe_op, topic_type);
  EXPECT_EQ(list_offset(rig, "t", -1).error_code, topic_refused);
}

TEST_F(Authorisation, OffsetForLeaderEpochNeedsDescribeOrClusterAction) {
  protocol::OffsetForLeaderEpochRequest request;
  request.topics.emplace_back().topic = "t";
  request.topics[0].partitions.emplace_back();
  const auto error = [&] {
    return rig.ask<protocol::OffsetForLeaderEpochResponse>(request, 4)
        ->topics[0]
        .partitions[0]
        .error_code;
  };
  deny(describe_op, topic_type);
  EXPECT_EQ(error(), 0);
  deny(cluster_action_op, cluster_type);
  EXPECT_EQ(error(), topic_refused);
}

TEST_F(Authorisation, MetadataHidesWhatMayNotBeDescribed) {
  create(rig, "secret");
  deny(describe_op, topic_type, "secret");
  protocol::MetadataRequest request;
  request.topics.reset();
  EXPECT_EQ(rig.ask<protocol::MetadataResponse>(request, 9)->topics.size(), 1U);

  request.topics.emplace().emplace_back().name = "secret";
  const auto response = rig.ask<protocol::MetadataResponse>(request, 10);
  EXPECT_EQ(response->topics.at(0).error_code, topic_refused);
  EXPECT_TRUE(response->topics.at(0).topic_id.is_zero());
}

TEST_F(Authorisation, MetadataMakesTopicsOnlyForThoseWhoMay) {
  deny(create_op, topic_type);
  deny(create_op, cluster_type);
  protocol::MetadataRequest request;
  request.topics.emplace().emplace_back().name = "new";
  EXPECT_EQ(rig.ask<protocol::MetadataResponse>(request, 9)->topics.at(0).error_code,
            topic_refused);
  rig.host.denials.clear();
  request.allow_auto_topic_creation = false;
  EXPECT_EQ(rig.ask<protocol::MetadataResponse>(request, 9)->topics.at(0).error_code,
            code(Error::unknown_topic_or_partition));
}

TEST_F(Authorisation, OperationsThatAreDeniedAreNotShown) {
  deny(write_op, topic_type);
  deny(create_op, cluster_type);
  protocol::MetadataRequest request;
  request.topics.emplace().emplace_back().name = "t";
  request.include_topic_authorized_operations = true;
  EXPECT_EQ(rig.ask<protocol::MetadataResponse>(request, 9)
                ->topics.at(0)
                .topic_authorized_operations,
            3576 - (1 << write_op));
  protocol::DescribeClusterRequest cluster;
  cluster.include_cluster_authorized_operations = true;
  EXPECT_EQ(rig.ask<protocol::DescribeClusterResponse>(cluster, 0)->cluster_authorized_operations,
            8096 - (1 << create_op));
  deny(describe_op, cluster_type);
  EXPECT_EQ(rig.ask<protocol::DescribeClusterResponse>(cluster, 0)->cluster_authorized_operations,
            0);
}

TEST_F(Authorisation, CreateTopicsNeedsCreateOnTheClusterOrTheTopic) {
  protocol::CreateTopicsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = "new";
  topic.num_partitions = 1;
  topic.replication_factor = 1;
  request.validate_only = true;
  const auto error = [&] {
    return rig.ask<protocol::CreateTopicsResponse>(request, 7)->topics.at(0).error_code;
  };
  deny(create_op, cluster_type);
  EXPECT_EQ(error(), 0);
  deny(create_op, topic_type);
  EXPECT_EQ(error(), topic_refused);
}

TEST_F(Authorisation, CreateTopicsHidesConfigs) {
  deny(describe_configs_op, topic_type);
  protocol::CreateTopicsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = "new";
  topic.num_partitions = 1;
  topic.replication_factor = 1;
  const auto response = rig.ask<protocol::CreateTopicsResponse>(request, 7);
  EXPECT_EQ(response->topics.at(0).error_code, 0);
  EXPECT_EQ(response->topics.at(0).topic_config_error_code, topic_refused);
  EXPECT_EQ(response->topics.at(0).num_partitions, -1);
  EXPECT_TRUE(response->topics.at(0).configs->empty());
}

TEST_F(Authorisation, DeleteTopicsNeedsDelete) {
  deny(delete_op, cluster_type);
  deny(delete_op, topic_type);
  protocol::DeleteTopicsRequest request;
  request.topics.emplace_back().name = "t";
  EXPECT_EQ(rig.ask<protocol::DeleteTopicsResponse>(request, 6)->responses.at(0).error_code,
            topic_refused);
  EXPECT_EQ(produce(rig, "t", batch()).error_code, 0);
}

TEST_F(Authorisation, CreatePartitionsNeedsAlter) {
  deny(alter_op, topic_type);
  protocol::CreatePartitionsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.count = 2;
  topic.assignments.reset();
  EXPECT_EQ(rig.ask<protocol::CreatePartitionsResponse>(request, 3)->results.at(0).error_code,
            topic_refused);
}

TEST_F(Authorisation, DescribeTopicPartitionsNeedsDescribe) {
  deny(describe_op, topic_type);
  protocol::DescribeTopicPartitionsRequest request;
  EXPECT_TRUE(rig.ask<protocol::DescribeTopicPartitionsResponse>(request, 0)->topics.empty());
  request.topics.emplace_back().name = "t";
  EXPECT_EQ(
      rig.ask<protocol::DescribeTopicPartitionsResponse>(request, 0)->topics.at(0).error_code,
      topic_refused);
}

TEST_F(Authorisation, InitProducerIdNeedsIdempotentWriteOrAnyWrite) {
  protocol::InitProducerIdRequest request;
  const auto error = [&] {
    return rig.ask<protocol::InitProducerIdResponse>(request, 4)->error_code;
  };
  request.transactional_id.reset();
  deny(idempotent_write_op, cluster_type);
  EXPECT_EQ(error(), 0);
  deny(write_op, topic_type);
  EXPECT_EQ(error(), code(Error::cluster_authorization_failed));
  request.transactional_id = "tx";
  deny(write_op, transactional_type);
  EXPECT_EQ(error(), code(Error::transactional_id_authorization_failed));
}

}  // namespace
}  // namespace muster::embedded::test
