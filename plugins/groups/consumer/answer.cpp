// The bodies that heartbeats are answered with. Pure, any thread.
#include "answer.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

namespace muster::consumer {

using Response = protocol::ConsumerGroupHeartbeatResponse;

void encode(const HeartbeatAnswer& answer, std::int16_t version, protocol::Buffer& out) {
  Response response;
  response.member_id = answer.member_id;
  response.member_epoch = answer.member_epoch;
  response.heartbeat_interval_ms = answer.heartbeat_interval_ms;
  if (answer.assignment != nullptr) {
    response.assignment.emplace().topic_partitions =
        to_grouped<Response::TopicPartitions>(*answer.assignment);
  }
  protocol::encode(response, version, out);
}

void encode(const Refusal& refusal, std::int16_t version, protocol::Buffer& out) {
  Response response;
  response.error_code = static_cast<std::int16_t>(refusal.error);
  response.error_message = refusal.message;
  protocol::encode(response, version, out);
}

}  // namespace muster::consumer
