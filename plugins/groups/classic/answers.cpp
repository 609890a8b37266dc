#include "answers.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>

namespace muster::classic {
namespace {

template <class Message>
protocol::Buffer encode(const Message& message, std::int16_t version) {
  protocol::Buffer body;
  protocol::encode(message, version, body);
  return body;
}

// Before version 7 there is no null to say that no protocol was chosen.
protocol::Buffer encode(protocol::JoinGroupResponse& response, std::int16_t version) {
  constexpr std::int16_t first_nullable_version = 7;
  const bool is_nullable = version >= first_nullable_version;
  if (!is_nullable && !response.protocol_name) response.protocol_name = std::string_view();
  if (is_nullable && response.protocol_name == std::string_view()) response.protocol_name.reset();
  return encode<protocol::JoinGroupResponse>(response, version);
}

}  // namespace

protocol::Buffer join_error(Error error, std::string_view member_id, std::int16_t version) {
  protocol::JoinGroupResponse response;
  response.error_code = protocol::code(error);
  response.member_id = member_id;
  response.protocol_name.reset();
  return encode(response, version);
}

protocol::Buffer join_answer(const Joined& joined, std::int16_t version) {
  const Header& header = joined.header;
  protocol::JoinGroupResponse response;
  response.generation_id = header.generation;
  response.protocol_type = header.protocol_type;
  response.protocol_name = header.protocol_name;
  response.leader = joined.leader;
  response.member_id = joined.member_id;
  response.skip_assignment = joined.skip_assignment;
  if (joined.members != nullptr) {
    const std::string_view protocol =
        header.protocol_name ? std::string_view(*header.protocol_name) : std::string_view();
    joined.members->each([&](const Member& member) {
      auto& out = response.members.emplace_back();
      out.member_id = member.id;
      out.group_instance_id = member.instance_id;
      if (const protocol::Buffer* metadata = member.metadata(protocol)) out.metadata = *metadata;
    });
  }
  return encode(response, version);
}

protocol::Buffer sync_error(Error error, std::int16_t version) {
  protocol::SyncGroupResponse response;
  response.error_code = protocol::code(error);
  return encode(response, version);
}

protocol::Buffer sync_answer(const Header& header, protocol::Bytes assignment,
                             std::int16_t version) {
  protocol::SyncGroupResponse response;
  response.protocol_type = header.protocol_type;
  response.protocol_name = header.protocol_name;
  response.assignment = assignment;
  return encode(response, version);
}

protocol::Buffer heartbeat_answer(Error error, std::int16_t version) {
  protocol::HeartbeatResponse response;
  response.error_code = protocol::code(error);
  return encode(response, version);
}

protocol::Buffer leave_error(Error error, std::int16_t version) {
  protocol::LeaveGroupResponse response;
  response.error_code = protocol::code(error);
  return encode(response, version);
}

}  // namespace muster::classic
