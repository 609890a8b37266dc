#include "valid_frames.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/list_config_resources_request.hpp>
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_delete_request.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/update_features_request.hpp>

namespace muster::sockets {
namespace {

// One element in the arrays that most requests have, a name where one is asked for.
template <class Message>
void fill(Message& message) {
  if constexpr (requires { message.group_id = std::string_view(); }) message.group_id = "group";
  if constexpr (requires { message.client_software_name; }) {
    message.client_software_name = "sockets";
    message.client_software_version = "1";
  }
  if constexpr (requires { message.acks; }) message.acks = 1;
  if constexpr (requires { message.topics.emplace_back(); }) {
    message.topics.emplace_back();
  } else if constexpr (requires { message.topics.emplace().emplace_back(); }) {
    message.topics.emplace().emplace_back();
  }
  if constexpr (requires { message.groups.emplace_back(); }) message.groups.emplace_back();
  if constexpr (requires { message.resources.emplace_back(); }) message.resources.emplace_back();
  if constexpr (requires { message.feature_updates.emplace_back(); }) {
    message.feature_updates.emplace_back().feature = "group.version";
  }
  if constexpr (requires { message.topic_data.emplace_back(); }) {
    message.topic_data.emplace_back().partition_data.emplace_back();
  }
}

template <class Message>
void add(std::vector<ValidFrame>& all) {
  for (std::int16_t version = Message::min_version; version <= Message::max_version; ++version) {
    Message message;
    fill(message);
    all.push_back({Message::api_key, version, request(message, version, 1)});
  }
}

}  // namespace

std::vector<ValidFrame> valid_frames() {
  std::vector<ValidFrame> all;
  add<protocol::ProduceRequest>(all);
  add<protocol::FetchRequest>(all);
  add<protocol::ListOffsetsRequest>(all);
  add<protocol::MetadataRequest>(all);
  add<protocol::OffsetCommitRequest>(all);
  add<protocol::OffsetFetchRequest>(all);
  add<protocol::FindCoordinatorRequest>(all);
  add<protocol::DescribeGroupsRequest>(all);
  add<protocol::ListGroupsRequest>(all);
  add<protocol::ApiVersionsRequest>(all);
  add<protocol::CreateTopicsRequest>(all);
  add<protocol::DeleteTopicsRequest>(all);
  add<protocol::InitProducerIdRequest>(all);
  add<protocol::OffsetForLeaderEpochRequest>(all);
  add<protocol::DescribeConfigsRequest>(all);
  add<protocol::IncrementalAlterConfigsRequest>(all);
  add<protocol::CreatePartitionsRequest>(all);
  add<protocol::DeleteGroupsRequest>(all);
  add<protocol::OffsetDeleteRequest>(all);
  add<protocol::UpdateFeaturesRequest>(all);
  add<protocol::DescribeClusterRequest>(all);
  add<protocol::ConsumerGroupHeartbeatRequest>(all);
  add<protocol::ConsumerGroupDescribeRequest>(all);
  add<protocol::ListConfigResourcesRequest>(all);
  add<protocol::DescribeTopicPartitionsRequest>(all);
  return all;
}

}  // namespace muster::sockets
