// The bodies that the classic protocol's requests are answered with. Pure, any thread.
#include "classic_answers.hpp"

#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>

#include "embedded_protocol.hpp"

namespace muster::consumer {
namespace {

template <class Response>
void encode_error(protocol::Error error, std::int16_t version, protocol::Buffer& out) {
  Response response;
  response.error_code = static_cast<std::int16_t>(error);
  protocol::encode(response, version, out);
}

}  // namespace

void encode(const JoinAnswer& answer, std::int16_t version, protocol::Buffer& out) {
  protocol::JoinGroupResponse response;
  response.member_id = answer.member_id;
  response.generation_id = answer.generation;
  response.protocol_type = consumer_protocol_type;
  response.protocol_name = answer.protocol_name;
  protocol::encode(response, version, out);
}

void encode(const JoinRefusal& refusal, std::int16_t version, protocol::Buffer& out) {
  protocol::JoinGroupResponse response;
  response.error_code = static_cast<std::int16_t>(refusal.error);
  // As Kafka has it: null only where the request was not looked at.
  if (refusal.error == protocol::Error::group_authorization_failed) response.protocol_name.reset();
  response.member_id = refusal.member_id;
  protocol::encode(response, version, out);
}

void encode(const SyncRefusal& refusal, std::int16_t version, protocol::Buffer& out) {
  encode_error<protocol::SyncGroupResponse>(refusal.error, version, out);
}

void encode(const BeatAnswer& answer, std::int16_t version, protocol::Buffer& out) {
  encode_error<protocol::HeartbeatResponse>(answer.error, version, out);
}

void encode(const LeaveRefusal& refusal, std::int16_t version, protocol::Buffer& out) {
  encode_error<protocol::LeaveGroupResponse>(refusal.error, version, out);
}

}  // namespace muster::consumer
