// The APIs of the broker, one function each. Each answers once, or keeps the answer to do it later;
// a body that cannot be read closes the connection. Any thread.
#pragma once

#include "core.hpp"

namespace muster::embedded {

// Kafka's ConfigResource.Type of topics.
inline constexpr std::int8_t config_resource_topic = 2;

void handle_produce(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_fetch(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_list_offsets(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_metadata(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_create_topics(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_delete_records(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_delete_topics(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_init_producer_id(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_offset_for_leader_epoch(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_acls(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_create_acls(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_delete_acls(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_configs(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_alter_configs(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_alter_replica_log_dirs(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_create_partitions(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_create_delegation_token(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_renew_delegation_token(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_expire_delegation_token(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_delegation_token(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_elect_leaders(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_incremental_alter_configs(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_alter_partition_reassignments(Core& core, const sdk::Request& request,
                                          sdk::Answer& answer);
void handle_list_partition_reassignments(Core& core, const sdk::Request& request,
                                         sdk::Answer& answer);
void handle_describe_client_quotas(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_alter_client_quotas(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_user_scram_credentials(Core& core, const sdk::Request& request,
                                            sdk::Answer& answer);
void handle_alter_user_scram_credentials(Core& core, const sdk::Request& request,
                                         sdk::Answer& answer);
void handle_describe_quorum(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_cluster(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_producers(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_unregister_broker(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_transactions(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_list_transactions(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_log_dirs(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_topic_partitions(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_add_raft_voter(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_remove_raft_voter(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_unregister_controller(Core& core, const sdk::Request& request, sdk::Answer& answer);

}  // namespace muster::embedded
