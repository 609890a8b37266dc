#include "records.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>

#include <set>

namespace muster::classic {
namespace {

using Value = protocol::GroupMetadataValue;

// Version 4 says no more, and brokers that cannot read it may take the topic over.
constexpr std::int16_t value_version = 3;

Value header_of(const Header& header) {
  Value value;
  if (header.protocol_type) value.protocol_type = *header.protocol_type;
  value.generation = header.generation;
  value.protocol = header.protocol_name;
  value.leader = header.leader;
  value.current_state_timestamp = header.state_since_ms;
  return value;
}

Value::MemberMetadata member_of(const Header& header, const Member& member) {
  Value::MemberMetadata out;
  out.member_id = member.id;
  out.group_instance_id = member.instance_id;
  out.client_id = member.client_id;
  out.client_host = member.client_host;
  out.rebalance_timeout = member.rebalance_timeout_ms;
  out.session_timeout = member.session_timeout_ms;
  const protocol::Buffer* metadata =
      header.protocol_name ? member.metadata(*header.protocol_name) : nullptr;
  if (metadata != nullptr) out.subscription = *metadata;
  out.assignment = member.assigned();
  return out;
}

bool offers(const Member& member, std::string_view protocol, protocol::Bytes metadata) {
  const protocol::Buffer* known = member.metadata(protocol);
  return known != nullptr && protocol::Bytes(*known) == metadata;
}

// Of the protocols a record knows the chosen one only.
Member to_member(const Value& value, const Value::MemberMetadata& stored, const Member* known) {
  Member member;
  if (known != nullptr) member = *known;
  member.id = stored.member_id;
  member.instance_id = stored.group_instance_id;
  member.client_id = stored.client_id;
  member.client_host = stored.client_host;
  member.session_timeout_ms = stored.session_timeout;
  member.rebalance_timeout_ms =
      stored.rebalance_timeout == -1 ? stored.session_timeout : stored.rebalance_timeout;
  member.assignment =
      std::make_shared<const protocol::Buffer>(stored.assignment.begin(), stored.assignment.end());
  const std::string_view protocol = value.protocol.value_or(std::string_view());
  if (known == nullptr || !offers(*known, protocol, stored.subscription)) {
    Protocols only(1);
    only.front().name = protocol;
    only.front().metadata.assign(stored.subscription.begin(), stored.subscription.end());
    member.protocols = std::make_shared<const Protocols>(std::move(only));
  }
  return member;
}

void erase_others(const Value& value, Roster& roster) {
  std::set<std::string_view> there;
  for (const auto& stored : value.members) there.insert(stored.member_id);
  std::vector<std::string> gone;
  for (const auto& [id, member] : roster.members()) {
    if (!there.contains(id)) gone.push_back(id);
  }
  for (const std::string& id : gone) roster.erase(id);
}

std::optional<std::string> owned(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

}  // namespace

protocol::Buffer record_key(std::string_view group) {
  protocol::GroupMetadataKey key;
  key.group = group;
  return protocol::encode_key(key);
}

protocol::GroupMetadataValue value_of(const Header& header, const RosterDraft& roster,
                                      const Assignments* assignments) {
  Value value = header_of(header);
  value.members.reserve(roster.tally().members());
  roster.each([&](const Member& member) {
    auto& out = value.members.emplace_back(member_of(header, member));
    if (assignments != nullptr) out.assignment = share_of(*assignments, member.id);
  });
  return value;
}

protocol::GroupMetadataValue value_of(const Header& header, const Roster& roster) {
  return value_of(header, RosterDraft(roster));
}

protocol::Bytes share_of(const Assignments& assignments, std::string_view member_id) {
  const auto found = assignments.find(member_id);
  return found == assignments.end() ? protocol::Bytes() : found->second;
}

protocol::Buffer encode_record(const Value& value) {
  return protocol::encode_value(value, value_version);
}

protocol::Buffer record_of_new_group(std::int64_t now_ms) {
  Header header;
  header.state_since_ms = now_ms;
  return encode_record(header_of(header));
}

void apply(const Value& value, Group& group) {
  for (const auto& stored : value.members) {
    group.roster.put(to_member(value, stored, group.roster.find(stored.member_id)));
  }
  if (group.roster.members().size() != value.members.size()) erase_others(value, group.roster);

  Header header;
  header.state = value.members.empty() ? GroupState::empty : GroupState::stable;
  header.generation = value.generation;
  if (!value.protocol_type.empty()) header.protocol_type = value.protocol_type;
  header.protocol_name = owned(value.protocol);
  header.leader = owned(value.leader);
  // As Kafka reads a record that names nobody.
  if (!header.leader && !value.members.empty()) header.leader = value.members.front().member_id;
  header.state_since_ms = value.current_state_timestamp;
  group.header = std::move(header);
  group.changed();
}

std::uint64_t hash_of(protocol::Bytes value) { return XXH3_64bits(value.data(), value.size()); }

}  // namespace muster::classic
