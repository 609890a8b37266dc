#include "valid_frames.hpp"

#include <muster/protocol/messages/add_raft_voter_request.hpp>
#include <muster/protocol/messages/alter_client_quotas_request.hpp>
#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_partition_reassignments_request.hpp>
#include <muster/protocol/messages/alter_replica_log_dirs_request.hpp>
#include <muster/protocol/messages/alter_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/create_acls_request.hpp>
#include <muster/protocol/messages/create_delegation_token_request.hpp>
#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/delete_acls_request.hpp>
#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/delete_records_request.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/describe_acls_request.hpp>
#include <muster/protocol/messages/describe_client_quotas_request.hpp>
#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_delegation_token_request.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_log_dirs_request.hpp>
#include <muster/protocol/messages/describe_producers_request.hpp>
#include <muster/protocol/messages/describe_quorum_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/describe_transactions_request.hpp>
#include <muster/protocol/messages/describe_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/elect_leaders_request.hpp>
#include <muster/protocol/messages/expire_delegation_token_request.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/list_config_resources_request.hpp>
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/list_partition_reassignments_request.hpp>
#include <muster/protocol/messages/list_transactions_request.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_delete_request.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/remove_raft_voter_request.hpp>
#include <muster/protocol/messages/renew_delegation_token_request.hpp>
#include <muster/protocol/messages/sasl_authenticate_request.hpp>
#include <muster/protocol/messages/sasl_handshake_request.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>
#include <muster/protocol/messages/unregister_broker_request.hpp>
#include <muster/protocol/messages/unregister_controller_request.hpp>
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
  if constexpr (requires { message.creations.emplace_back(); }) message.creations.emplace_back();
  if constexpr (requires { message.filters.emplace_back(); }) message.filters.emplace_back();
  if constexpr (requires { message.entries.emplace_back(); }) message.entries.emplace_back();
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
  add<protocol::JoinGroupRequest>(all);
  add<protocol::HeartbeatRequest>(all);
  add<protocol::LeaveGroupRequest>(all);
  add<protocol::SyncGroupRequest>(all);
  add<protocol::DescribeGroupsRequest>(all);
  add<protocol::ListGroupsRequest>(all);
  add<protocol::ApiVersionsRequest>(all);
  add<protocol::CreateTopicsRequest>(all);
  add<protocol::DeleteTopicsRequest>(all);
  add<protocol::DeleteRecordsRequest>(all);
  add<protocol::DescribeLogDirsRequest>(all);
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
  add<protocol::AddRaftVoterRequest>(all);
  add<protocol::AlterClientQuotasRequest>(all);
  add<protocol::AlterConfigsRequest>(all);
  add<protocol::AlterPartitionReassignmentsRequest>(all);
  add<protocol::AlterReplicaLogDirsRequest>(all);
  add<protocol::AlterUserScramCredentialsRequest>(all);
  add<protocol::CreateAclsRequest>(all);
  add<protocol::CreateDelegationTokenRequest>(all);
  add<protocol::DeleteAclsRequest>(all);
  add<protocol::DescribeAclsRequest>(all);
  add<protocol::DescribeClientQuotasRequest>(all);
  add<protocol::DescribeDelegationTokenRequest>(all);
  add<protocol::DescribeProducersRequest>(all);
  add<protocol::DescribeQuorumRequest>(all);
  add<protocol::DescribeTransactionsRequest>(all);
  add<protocol::DescribeUserScramCredentialsRequest>(all);
  add<protocol::ElectLeadersRequest>(all);
  add<protocol::ExpireDelegationTokenRequest>(all);
  add<protocol::ListPartitionReassignmentsRequest>(all);
  add<protocol::ListTransactionsRequest>(all);
  add<protocol::RemoveRaftVoterRequest>(all);
  add<protocol::RenewDelegationTokenRequest>(all);
  add<protocol::SaslAuthenticateRequest>(all);
  add<protocol::SaslHandshakeRequest>(all);
  add<protocol::UnregisterBrokerRequest>(all);
  add<protocol::UnregisterControllerRequest>(all);
  return all;
}

}  // namespace muster::sockets
