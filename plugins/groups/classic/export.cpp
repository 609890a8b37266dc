#include "export.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/writer.hpp>

#include "records.hpp"

namespace muster::classic {
namespace {

using MemberValue = protocol::ConsumerGroupMemberMetadataValue;

// The group's key and the member's id: no key of a record that is ever stored.
protocol::Buffer member_key(std::string_view group, std::string_view member) {
  protocol::Buffer key = record_key(group);
  protocol::Writer(key).write_string(member, false);
  return key;
}

MemberValue value_of(const Member& member) {
  MemberValue value;
  value.instance_id = member.instance_id;
  value.rack_id.reset();
  value.client_id = member.client_id;
  value.client_host = member.client_host;
  value.subscribed_topic_regex.reset();
  value.rebalance_timeout_ms = member.rebalance_timeout_ms;
  value.server_assignor.reset();
  auto& classic = value.classic_member_metadata.emplace();
  classic.session_timeout_ms = member.session_timeout_ms;
  for (const Protocol& protocol : *member.protocols) {
    auto& one = classic.supported_protocols.emplace_back();
    one.name = protocol.name;
    one.metadata = protocol.metadata;
  }
  return value;
}

}  // namespace

void export_group(std::string_view id, const Group& group, sdk::RecordSink& out) {
  std::uint64_t sequence = 0;
  out.record(sequence++, record_key(id),
             encode_record(classic::value_of(group.header, group.roster)));
  for (const auto& [member_id, member] : group.roster.members()) {
    out.record(sequence++, member_key(id, member_id), protocol::encode_value(value_of(member)));
  }
}

}  // namespace muster::classic
