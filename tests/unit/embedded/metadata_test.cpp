#include <gtest/gtest.h>

#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::MetadataRequest;
using protocol::MetadataResponse;

MetadataRequest asking_for(const std::vector<std::string_view>& names) {
  MetadataRequest request;
  request.allow_auto_topic_creation = false;
  request.topics.emplace();
  for (const std::string_view name : names) request.topics->emplace_back().name = name;
  return request;
}

TEST(Metadata, NamesTheBrokerTheClusterAndTheController) {
  BrokerRig rig({{"broker.rack", "r1"}});

  const auto response = rig.ask<MetadataResponse>(asking_for({}), 13);

  ASSERT_EQ(response->brokers.size(), 1U);
  EXPECT_EQ(response->brokers[0].node_id, RigHost::node_id);
  EXPECT_EQ(response->brokers[0].host, "127.0.0.1");
  EXPECT_EQ(response->brokers[0].port, RigHost::port);
  EXPECT_EQ(response->brokers[0].rack, "r1");
  EXPECT_EQ(response->cluster_id, rig.cluster_id());
  EXPECT_EQ(rig.cluster_id().size(), 22U);
  EXPECT_EQ(response->controller_id, RigHost::node_id);
  EXPECT_TRUE(response->topics.empty());
  EXPECT_EQ(response->error_code, 0);
}

TEST(Metadata, TheAddressIsThatOfTheListenerAsked) {
  BrokerRig rig;
  const auto response = rig.ask<MetadataResponse>(asking_for({}), 9, {.listener = "outside"});
  EXPECT_EQ(response->brokers[0].host, "broker.example");
  EXPECT_FALSE(response->brokers[0].rack);
}

TEST(Metadata, EveryVersionDescribesATopic) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t", 2);
  for (std::int16_t version = 0; version <= 13; ++version) {
    const auto response = rig.ask<MetadataResponse>(asking_for({"t"}), version);
    ASSERT_EQ(response->topics.size(), 1U) << version;
    const auto& topic = response->topics[0];
    EXPECT_EQ(topic.error_code, 0);
    EXPECT_EQ(topic.name, "t");
    EXPECT_EQ(topic.topic_id, version < 10 ? protocol::Uuid{} : id);
    EXPECT_FALSE(topic.is_internal);
    ASSERT_EQ(topic.partitions.size(), 2U);
    const auto& partition = topic.partitions[1];
    EXPECT_EQ(partition.partition_index, 1);
    EXPECT_EQ(partition.leader_id, RigHost::node_id);
    EXPECT_EQ(partition.leader_epoch, version < 7 ? -1 : 0);
    EXPECT_EQ(partition.replica_nodes, std::vector{RigHost::node_id});
    EXPECT_EQ(partition.isr_nodes, std::vector{RigHost::node_id});
    EXPECT_TRUE(partition.offline_replicas.empty());
  }
}

TEST(Metadata, NullMeansAllTopicsAndEmptyMeansNone) {
  BrokerRig rig;
  create(rig, "b");
  create(rig, "a");
  MetadataRequest all;
  all.topics.reset();
  const auto response = rig.ask<MetadataResponse>(all, 9);
  ASSERT_EQ(response->topics.size(), 2U);
  EXPECT_EQ(response->topics[0].name, "a");
  EXPECT_EQ(response->topics[1].name, "b");
  EXPECT_TRUE(rig.ask<MetadataResponse>(asking_for({}), 9)->topics.empty());
  // The oldest version has no null, so that empty is all there.
  EXPECT_EQ(rig.ask<MetadataResponse>(asking_for({}), 0)->topics.size(), 2U);
}

TEST(Metadata, UnknownAndIllegalNamesAreToldApart) {
  BrokerRig rig;
  const auto response =
      rig.ask<MetadataResponse>(asking_for({"nope", "bad name", "", "__transaction_state"}), 12);
  EXPECT_EQ(response->topics.at(0).error_code, code(Error::unknown_topic_or_partition));
  EXPECT_EQ(response->topics.at(1).error_code, code(Error::invalid_topic_exception));
  EXPECT_EQ(response->topics.at(2).error_code, code(Error::invalid_topic_exception));
  EXPECT_EQ(response->topics.at(3).error_code, code(Error::unknown_topic_or_partition));
  EXPECT_TRUE(response->topics.at(3).is_internal);
  MetadataRequest all;
  all.topics.reset();
  EXPECT_TRUE(rig.ask<MetadataResponse>(all, 12)->topics.empty());
}

TEST(Metadata, TopicsAreMadeWhenBothSidesAllowIt) {
  BrokerRig rig({{"num.partitions", "4"}});
  MetadataRequest request = asking_for({"new", "bad name", "__consumer_offsets"});
  request.allow_auto_topic_creation = true;

  const auto first = rig.ask<MetadataResponse>(request, 9);
  const auto second = rig.ask<MetadataResponse>(request, 9);

  EXPECT_EQ(first->topics.at(0).error_code, code(Error::unknown_topic_or_partition));
  EXPECT_TRUE(first->topics.at(0).partitions.empty());
  EXPECT_EQ(first->topics.at(1).error_code, code(Error::invalid_topic_exception));
  EXPECT_EQ(second->topics.at(0).error_code, 0);
  EXPECT_EQ(second->topics.at(0).name, "new");
  EXPECT_EQ(second->topics.at(0).partitions.size(), 4U);
  // Only the coordinators know how many partitions theirs need.
  EXPECT_EQ(second->topics.at(2).error_code, code(Error::unknown_topic_or_partition));
}

TEST(Metadata, TopicsAreNotMadeWhenTheBrokerForbidsIt) {
  BrokerRig rig({{"auto.create.topics.enable", "false"}});
  MetadataRequest request = asking_for({"new"});
  request.allow_auto_topic_creation = true;
  rig.ask<MetadataResponse>(request, 9);
  EXPECT_EQ(rig.ask<MetadataResponse>(request, 9)->topics.at(0).error_code,
            code(Error::unknown_topic_or_partition));
}

TEST(Metadata, NoMorePartitionsAreMadeThanCreateTopicsWouldMake) {
  BrokerRig rig({{"num.partitions", "5001"}});
  rig.ask<MetadataResponse>(asking_for({"a", "b"}), 1);
  const auto none = rig.ask<MetadataResponse>(asking_for({"a"}), 1);
  EXPECT_EQ(none->topics.at(0).error_code, code(Error::unknown_topic_or_partition));
  // That one alone is not too much.
  EXPECT_EQ(rig.ask<MetadataResponse>(asking_for({"a"}), 1)->topics.at(0).error_code, 0);
}

TEST(Metadata, VersionsBeforeFourAlwaysAllowCreation) {
  BrokerRig rig;
  rig.ask<MetadataResponse>(asking_for({"new"}), 1);
  EXPECT_EQ(rig.ask<MetadataResponse>(asking_for({"new"}), 1)->topics.at(0).error_code, 0);
}

TEST(Metadata, TopicsAreFoundByIdFromVersionTwelve) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t");
  MetadataRequest request;
  request.topics.emplace();
  request.topics->emplace_back().topic_id = id;
  request.topics->at(0).name.reset();
  protocol::Uuid unknown;
  unknown.bytes[5] = 1;
  request.topics->emplace_back().topic_id = unknown;
  request.topics->at(1).name.reset();

  const auto response = rig.ask<MetadataResponse>(request, 12);

  EXPECT_EQ(response->topics.at(0).name, "t");
  EXPECT_EQ(response->topics.at(0).topic_id, id);
  EXPECT_EQ(response->topics.at(1).error_code, code(Error::unknown_topic_id));
  EXPECT_EQ(response->topics.at(1).topic_id, unknown);
  EXPECT_FALSE(response->topics.at(1).name);
}

TEST(Metadata, AskingByIdBeforeVersionTwelveIsInvalid) {
  BrokerRig rig;
  MetadataRequest request = asking_for({"t"});
  request.topics->at(0).topic_id.bytes[1] = 1;
  const auto response = rig.ask<MetadataResponse>(request, 11);
  EXPECT_EQ(response->topics.at(0).error_code, code(Error::invalid_request));
  EXPECT_TRUE(response->brokers.empty());
  EXPECT_FALSE(response->cluster_id);
}

TEST(Metadata, AuthorisedOperationsAreShownWhereAskedFor) {
  BrokerRig rig;
  create(rig, "t");
  MetadataRequest request = asking_for({"t"});
  auto response = rig.ask<MetadataResponse>(request, 10);
  constexpr std::int32_t not_asked = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(response->topics.at(0).topic_authorized_operations, not_asked);
  EXPECT_EQ(response->cluster_authorized_operations, not_asked);

  request.include_topic_authorized_operations = true;
  request.include_cluster_authorized_operations = true;
  response = rig.ask<MetadataResponse>(request, 10);
  EXPECT_EQ(response->topics.at(0).topic_authorized_operations, 3576);
  EXPECT_EQ(response->cluster_authorized_operations, 8096);
}

}  // namespace
}  // namespace muster::embedded::test
