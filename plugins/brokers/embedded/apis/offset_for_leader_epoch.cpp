// OffsetForLeaderEpoch: there has only ever been one epoch.
#include "apis/handlers.hpp"

#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_response.hpp>

namespace muster::embedded {
namespace {

using protocol::OffsetForLeaderEpochRequest;
using protocol::OffsetForLeaderEpochResponse;
using Asked = OffsetForLeaderEpochRequest::OffsetForLeaderPartition;
using Found = OffsetForLeaderEpochResponse::EpochEndOffset;

Error look_up(const Topic* topic, const Asked& asked, Found& out) {
  constexpr std::int32_t undefined_epoch = -1;
  const auto* partition = topic == nullptr ? nullptr : topic->partition(asked.partition);
  if (partition == nullptr || (*partition)->closed()) return Error::unknown_topic_or_partition;
  const Error fault = leader_epoch_fault(asked.current_leader_epoch);
  if (fault != Error::none) return fault;
  if (asked.leader_epoch == undefined_epoch || asked.leader_epoch > Partition::leader_epoch) {
    return Error::none;
  }
  const LogOffsets offsets = (*partition)->offsets();
  out.leader_epoch = asked.leader_epoch;
  // An epoch before the first one ended where that began.
  out.end_offset = asked.leader_epoch == Partition::leader_epoch ? offsets.end : offsets.start;
  return Error::none;
}

}  // namespace

void handle_offset_for_leader_epoch(Core& core, const sdk::Request& request,
                                    sdk::Answer& answer) {
  const auto body =
      protocol::decode<OffsetForLeaderEpochRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const bool may_all = core.allowed(request, sdk::Operation::cluster_action,
                                    sdk::Resource::cluster, Core::cluster_name);
  const Topics topics = core.topics.current();
  OffsetForLeaderEpochResponse response;
  for (const auto& asked : body->topics) {
    auto& topic_response = response.topics.emplace_back();
    topic_response.topic = asked.topic;
    const bool allowed = may_all || core.may(request, sdk::Operation::describe, asked.topic);
    const Topic* topic = topics->by_name(asked.topic);
    for (const Asked& partition : asked.partitions) {
      Found& out = topic_response.partitions.emplace_back();
      out.partition = partition.partition;
      const Error error =
          allowed ? look_up(topic, partition, out) : Error::topic_authorization_failed;
      out.error_code = protocol::code(error);
    }
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
