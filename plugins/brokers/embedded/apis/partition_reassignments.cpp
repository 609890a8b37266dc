// AlterPartitionReassignments, ListPartitionReassignments: every partition stays where it is.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <deque>

#include <muster/sdk/text.hpp>

#include <muster/protocol/messages/alter_partition_reassignments_request.hpp>
#include <muster/protocol/messages/alter_partition_reassignments_response.hpp>
#include <muster/protocol/messages/list_partition_reassignments_request.hpp>
#include <muster/protocol/messages/list_partition_reassignments_response.hpp>

namespace muster::embedded {
namespace {

using protocol::AlterPartitionReassignmentsRequest;
using protocol::AlterPartitionReassignmentsResponse;
using protocol::ListPartitionReassignmentsRequest;
using protocol::ListPartitionReassignmentsResponse;
using Reassignment = AlterPartitionReassignmentsRequest::ReassignablePartition;

TopicFault judge(const Core& core, const Topic* topic, std::string_view name,
                 const Reassignment& asked) {
  if (topic == nullptr) {
    return {Error::unknown_topic_or_partition,
            sdk::text("Unable to find a topic named ", name, ".")};
  }
  if (topic->partition(asked.partition_index) == nullptr) {
    return {Error::unknown_topic_or_partition,
            sdk::text("Unable to find partition ", name, ":", asked.partition_index, ".")};
  }
  if (!asked.replicas) return {Error::no_reassignment_in_progress, {}};
  if (auto wrong = replicas_fault(core, *asked.replicas)) {
    return {Error::invalid_replica_assignment, *std::move(wrong)};
  }
  return {};
}

}  // namespace

void handle_alter_partition_reassignments(Core& core, const sdk::Request& request,
                                          sdk::Answer& answer) {
  const auto body =
      protocol::decode<AlterPartitionReassignmentsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  AlterPartitionReassignmentsResponse response;
  response.allow_replication_factor_change = body->allow_replication_factor_change;
  response.error_message.reset();
  if (!core.may_cluster(request, sdk::Operation::alter)) {
    response.error_code = protocol::code(Error::cluster_authorization_failed);
    response.error_message = cluster_denied;
    return reply(request, answer, response);
  }
  const Topics topics = core.topics.current();
  std::deque<std::string> texts;
  for (const auto& asked : body->topics) {
    auto& topic = response.responses.emplace_back();
    topic.name = asked.name;
    for (const Reassignment& partition : asked.partitions) {
      TopicFault fault = judge(core, topics->by_name(asked.name), asked.name, partition);
      auto& result = topic.partitions.emplace_back();
      result.partition_index = partition.partition_index;
      result.error_code = protocol::code(fault.error);
      result.error_message.reset();
      if (!fault.message.empty()) {
        result.error_message = texts.emplace_back(std::move(fault.message));
      }
    }
  }
  reply(request, answer, response);
}

void handle_list_partition_reassignments(Core& core, const sdk::Request& request,
                                         sdk::Answer& answer) {
  const auto body =
      protocol::decode<ListPartitionReassignmentsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  ListPartitionReassignmentsResponse response;
  response.error_message.reset();
  if (!core.may_cluster(request, sdk::Operation::describe)) {
    response.error_code = protocol::code(Error::cluster_authorization_failed);
    response.error_message = cluster_denied;
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
