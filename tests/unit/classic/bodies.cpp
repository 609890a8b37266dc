// Requests into bytes, and answers into lines. Tests only.
#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>
#include <muster/protocol/records/group_metadata_value.hpp>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using protocol::as_bytes;
using protocol::as_text;

std::string text(std::string_view view) { return std::string(view); }

template <class Message>
testing::RequestSpec encoded(const Message& message, std::int16_t version, std::uint64_t id) {
  testing::RequestSpec spec;
  spec.api_key = Message::api_key;
  spec.version = version;
  spec.id = id;
  protocol::encode(message, version, spec.body);
  return spec;
}

// An answer is what a client reads, so it must be whole.
template <class Message>
Message decoded(const testing::Buffer& body, std::int16_t version) {
  auto message = protocol::decode<Message>(body, version);
  if (!message) throw std::logic_error("cannot decode: " + text(message.error().what));
  testing::Buffer again;
  protocol::encode(*message, version, again);
  if (again != body) throw std::logic_error("the answer is not what it decodes to");
  return *message;
}

std::string error_text(std::int16_t code) {
  return text(protocol::name(static_cast<protocol::Error>(code)));
}

}  // namespace

testing::RequestSpec ClassicRig::spec_of(const Join& join) {
  protocol::JoinGroupRequest message;
  const std::string id = id_of(join.member);
  message.group_id = join.group;
  message.session_timeout_ms = join.session_timeout_ms;
  message.rebalance_timeout_ms = join.version == 0 ? -1 : join.rebalance_timeout_ms;
  message.member_id = id;
  message.group_instance_id = join.instance;
  message.protocol_type = join.type;
  for (const auto& [name, bytes] : join.offers) {
    message.protocols.push_back({name, as_bytes(bytes)});
  }
  if (join.version >= 8) message.reason = join.reason;
  testing::RequestSpec spec = encoded(message, join.version, next_id_++);
  spec.client_id = join.client;
  spec.owner = join.owner;
  return spec;
}

testing::RequestSpec ClassicRig::spec_of(const Sync& sync) {
  protocol::SyncGroupRequest message;
  const std::string id = id_of(sync.member);
  std::vector<std::string> ids;
  for (const auto& [member, share] : sync.shares) ids.push_back(id_of(member));
  message.group_id = sync.group;
  message.generation_id = sync.generation;
  message.member_id = id;
  message.group_instance_id = sync.instance;
  message.protocol_type = sync.type;
  message.protocol_name = sync.protocol;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    message.assignments.push_back({ids[i], as_bytes(sync.shares[i].second)});
  }
  return encoded(message, sync.version, next_id_++);
}

testing::RequestSpec ClassicRig::spec_of(const Beat& beat) {
  protocol::HeartbeatRequest message;
  const std::string id = id_of(beat.member);
  message.group_id = beat.group;
  message.generation_id = beat.generation;
  message.member_id = id;
  message.group_instance_id = beat.instance;
  return encoded(message, beat.version, next_id_++);
}

testing::RequestSpec ClassicRig::spec_of(const std::vector<Leaving>& members,
                                         std::int16_t version) {
  protocol::LeaveGroupRequest message;
  std::vector<std::string> ids;
  for (const Leaving& one : members) ids.push_back(id_of(one.member));
  message.group_id = "g";
  if (version < 3) message.member_id = ids.front();
  for (std::size_t i = 0; version >= 3 && i < ids.size(); ++i) {
    auto& identity = message.members.emplace_back();
    identity.member_id = ids[i];
    identity.group_instance_id = members[i].instance;
  }
  return encoded(message, version, next_id_++);
}

std::string ClassicRig::text_of(const testing::Buffer& body, std::int16_t api_key,
                                std::int16_t version) {
  if (api_key == protocol::JoinGroupRequest::api_key) {
    const auto answer = decoded<protocol::JoinGroupResponse>(body, version);
    if (answer.error_code != 0) {
      return error_text(answer.error_code) + " " + alias_of(answer.member_id);
    }
    std::string out =
        std::to_string(answer.generation_id) + " " + text(answer.protocol_name.value_or("-"));
    if (version >= 7) out += " " + text(answer.protocol_type.value_or("-"));
    out += ": " + alias_of(answer.member_id) + " follows " + alias_of(answer.leader);
    if (answer.leader == answer.member_id) out.replace(out.find("follows"), 7, "leads");
    if (answer.leader == answer.member_id) out.resize(out.rfind(' '));
    for (const auto& member : answer.members) {
      out += " " + alias_of(member.member_id) + "=" + text(as_text(member.metadata));
    }
    return answer.skip_assignment ? out + " skip" : out;
  }
  if (api_key == protocol::SyncGroupRequest::api_key) {
    const auto answer = decoded<protocol::SyncGroupResponse>(body, version);
    if (answer.error_code != 0) return error_text(answer.error_code);
    std::string out = "has " + text(as_text(answer.assignment));
    if (version < 5) return out;
    return out + " by " + text(answer.protocol_type.value_or("-")) + "/" +
           text(answer.protocol_name.value_or("-"));
  }
  if (api_key == protocol::HeartbeatRequest::api_key) {
    return error_text(decoded<protocol::HeartbeatResponse>(body, version).error_code);
  }
  const auto answer = decoded<protocol::LeaveGroupResponse>(body, version);
  if (version < 3 || answer.error_code != 0) return error_text(answer.error_code);
  std::string out;
  for (const auto& member : answer.members) {
    out += (out.empty() ? "" : ", ") + alias_of(member.member_id);
    if (member.group_instance_id) out += "/" + text(*member.group_instance_id);
    out += " " + error_text(member.error_code);
  }
  return out;
}

Lines ClassicRig::stored(const testing::Outcome& outcome) {
  Lines out;
  for (const testing::Write& write : outcome.records()) {
    const auto key = protocol::decode_key<protocol::GroupMetadataKey>(write.key);
    if (!key) throw std::logic_error("not a key of a classic group");
    std::string line = text(key->group);
    if (!write.value) {
      out.push_back(line + " gone");
      continue;
    }
    if ((*write.value)[1] != 3) throw std::logic_error("not the version that Kafka writes");
    const auto value = *protocol::decode_value<protocol::GroupMetadataValue>(*write.value);
    line += " " + std::to_string(value.generation) + " '" + text(value.protocol_type) + "' " +
            text(value.protocol.value_or("-")) + " " + alias_of(value.leader.value_or("-"));
    for (const auto& member : value.members) {
      line += ", " + alias_of(member.member_id) + " " + text(as_text(member.subscription)) + "/" +
              text(as_text(member.assignment));
    }
    out.push_back(line);
  }
  return out;
}

}  // namespace muster::classic
