// DescribeQuorum: this node alone is the quorum of the cluster's metadata.
#include "apis/handlers.hpp"

#include <muster/protocol/messages/describe_quorum_request.hpp>
#include <muster/protocol/messages/describe_quorum_response.hpp>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::DescribeQuorumRequest;
using protocol::DescribeQuorumResponse;

constexpr std::int32_t quorum_epoch = 1;

// Kafka knows of one partition, and answers for it where nothing else is asked for.
bool asks_for_metadata(const DescribeQuorumRequest& body) {
  if (body.topics.size() != 1) return false;
  const auto& topic = body.topics.front();
  return topic.topic_name == cluster_metadata_topic && topic.partitions.size() == 1 &&
         topic.partitions.front().partition_index == 0;
}

}  // namespace

void handle_describe_quorum(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DescribeQuorumRequest>(request.body(), request.version());
  if (!body) return answer.close();
  DescribeQuorumResponse response;
  if (!core.may_cluster(request, sdk::Operation::describe)) {
    response.error_code = protocol::code(Error::cluster_authorization_failed);
    response.error_message = cluster_denied;
    return reply(request, answer, response);
  }
  const bool known = asks_for_metadata(*body);
  for (const auto& asked : body->topics) {
    auto& topic = response.topics.emplace_back();
    topic.topic_name = asked.topic_name;
    for (const auto& partition : asked.partitions) {
      auto& result = topic.partitions.emplace_back();
      result.partition_index = partition.partition_index;
      if (!known) {
        result.error_code = protocol::code(Error::unknown_topic_or_partition);
        result.error_message = "This server does not host this topic-partition.";
        continue;
      }
      result.leader_id = core.host.node_id();
      result.leader_epoch = quorum_epoch;
      auto& voter = result.current_voters.emplace_back();
      voter.replica_id = core.host.node_id();
      voter.last_fetch_timestamp = core.host.wall_ms();
      voter.last_caught_up_timestamp = voter.last_fetch_timestamp;
    }
  }
  const sdk::Endpoint endpoint = core.host.advertised(request.listener());
  if (known) {
    auto& node = response.nodes.emplace_back();
    node.node_id = core.host.node_id();
    node.listeners.push_back(
        {request.listener(), endpoint.host, static_cast<std::uint16_t>(endpoint.port)});
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
