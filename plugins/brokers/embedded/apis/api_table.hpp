// Every API of the broker: what it claims, and who answers it. One row an API.
#pragma once

#include <array>
#include <cstdint>

#include <muster/protocol/messages/add_raft_voter_request.hpp>
#include <muster/protocol/messages/alter_client_quotas_request.hpp>
#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_partition_reassignments_request.hpp>
#include <muster/protocol/messages/alter_replica_log_dirs_request.hpp>
#include <muster/protocol/messages/alter_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/create_acls_request.hpp>
#include <muster/protocol/messages/create_delegation_token_request.hpp>
#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/delete_acls_request.hpp>
#include <muster/protocol/messages/delete_records_request.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/describe_acls_request.hpp>
#include <muster/protocol/messages/describe_client_quotas_request.hpp>
#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_delegation_token_request.hpp>
#include <muster/protocol/messages/describe_log_dirs_request.hpp>
#include <muster/protocol/messages/describe_producers_request.hpp>
#include <muster/protocol/messages/describe_quorum_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/describe_transactions_request.hpp>
#include <muster/protocol/messages/describe_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/elect_leaders_request.hpp>
#include <muster/protocol/messages/expire_delegation_token_request.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/list_partition_reassignments_request.hpp>
#include <muster/protocol/messages/list_transactions_request.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/remove_raft_voter_request.hpp>
#include <muster/protocol/messages/renew_delegation_token_request.hpp>
#include <muster/protocol/messages/unregister_broker_request.hpp>
#include <muster/protocol/messages/unregister_controller_request.hpp>

#include "apis/handlers.hpp"

namespace muster::embedded {

struct Api {
  muster_api_claim claim;
  void (*handle)(Core& core, const sdk::Request& request, sdk::Answer& answer);
};

template <class Request>
constexpr muster_api_claim claim(std::int16_t min = Request::min_version,
                                 std::int16_t max = Request::max_version) {
  return {Request::api_key, min, max, Request::first_flexible_version, MUSTER_SCOPE_BROKER, 0};
}

inline constexpr Api api_table[] = {
    // Kafka lists Produce 0 to 2 so that old clients believe in compression, and serves 3 up.
    {claim<protocol::ProduceRequest>(0), handle_produce},
    {claim<protocol::FetchRequest>(), handle_fetch},
    {claim<protocol::ListOffsetsRequest>(), handle_list_offsets},
    {claim<protocol::MetadataRequest>(), handle_metadata},
    {claim<protocol::CreateTopicsRequest>(), handle_create_topics},
    {claim<protocol::DeleteTopicsRequest>(), handle_delete_topics},
    {claim<protocol::DeleteRecordsRequest>(), handle_delete_records},
    // The newest version of the schema is not stable, and not listed.
    {claim<protocol::InitProducerIdRequest>(0, 5), handle_init_producer_id},
    {claim<protocol::OffsetForLeaderEpochRequest>(), handle_offset_for_leader_epoch},
    {claim<protocol::DescribeAclsRequest>(), handle_describe_acls},
    {claim<protocol::CreateAclsRequest>(), handle_create_acls},
    {claim<protocol::DeleteAclsRequest>(), handle_delete_acls},
    // Of these and of the two that alter, the host hands on what is about topics.
    {claim<protocol::DescribeConfigsRequest>(), handle_describe_configs},
    {claim<protocol::AlterConfigsRequest>(), handle_alter_configs},
    {claim<protocol::AlterReplicaLogDirsRequest>(), handle_alter_replica_log_dirs},
    {claim<protocol::DescribeLogDirsRequest>(), handle_describe_log_dirs},
    {claim<protocol::CreatePartitionsRequest>(), handle_create_partitions},
    {claim<protocol::CreateDelegationTokenRequest>(), handle_create_delegation_token},
    {claim<protocol::RenewDelegationTokenRequest>(), handle_renew_delegation_token},
    {claim<protocol::ExpireDelegationTokenRequest>(), handle_expire_delegation_token},
    {claim<protocol::DescribeDelegationTokenRequest>(), handle_describe_delegation_token},
    {claim<protocol::ElectLeadersRequest>(), handle_elect_leaders},
    {claim<protocol::IncrementalAlterConfigsRequest>(), handle_incremental_alter_configs},
    {claim<protocol::AlterPartitionReassignmentsRequest>(), handle_alter_partition_reassignments},
    {claim<protocol::ListPartitionReassignmentsRequest>(), handle_list_partition_reassignments},
    {claim<protocol::DescribeClientQuotasRequest>(), handle_describe_client_quotas},
    {claim<protocol::AlterClientQuotasRequest>(), handle_alter_client_quotas},
    {claim<protocol::DescribeUserScramCredentialsRequest>(),
     handle_describe_user_scram_credentials},
    {claim<protocol::AlterUserScramCredentialsRequest>(), handle_alter_user_scram_credentials},
    {claim<protocol::DescribeQuorumRequest>(), handle_describe_quorum},
    {claim<protocol::DescribeClusterRequest>(), handle_describe_cluster},
    {claim<protocol::DescribeProducersRequest>(), handle_describe_producers},
    {claim<protocol::UnregisterBrokerRequest>(), handle_unregister_broker},
    {claim<protocol::DescribeTransactionsRequest>(), handle_describe_transactions},
    {claim<protocol::ListTransactionsRequest>(), handle_list_transactions},
    {claim<protocol::DescribeTopicPartitionsRequest>(), handle_describe_topic_partitions},
    {claim<protocol::AddRaftVoterRequest>(), handle_add_raft_voter},
    {claim<protocol::RemoveRaftVoterRequest>(), handle_remove_raft_voter},
    {claim<protocol::UnregisterControllerRequest>(), handle_unregister_controller},
};

constexpr std::array<muster_api_claim, std::size(api_table)> claims() {
  std::array<muster_api_claim, std::size(api_table)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = api_table[i].claim;
  return all;
}

}  // namespace muster::embedded
