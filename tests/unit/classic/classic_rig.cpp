#include "classic_rig.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>

#include <stdexcept>

namespace muster::classic {

ClassicRig::ClassicRig(Door door, bool opened)
    : ProtocolRig(testing::plugin_behind(door), "classic") {
  if (opened) open();
}

ClassicRig::~ClassicRig() = default;

std::string ClassicRig::alias_of(std::string_view id) {
  constexpr std::size_t uuid_size = 37;  // with its dash
  if (id.size() <= uuid_size) return std::string(id);
  const auto known = aliases_.find(id);
  if (known != aliases_.end()) return known->second;
  const std::string client(id.substr(0, id.size() - uuid_size));
  std::string alias = client + std::to_string(++counts_[client]);
  aliases_.emplace(id, alias);
  return alias;
}

std::string ClassicRig::id_of(std::string_view alias) const {
  for (const auto& [id, known] : aliases_) {
    if (known == alias) return id;
  }
  return std::string(alias);
}

void ClassicRig::take(testing::Outcome outcome) {
  for (const testing::Completion& done : outcome.completions) {
    const auto asked = parked_.find(done.token);
    if (asked == parked_.end()) throw std::logic_error("nobody waits for what was answered");
    const std::int16_t api_key = asked->second.is_join ? protocol::JoinGroupRequest::api_key
                                                       : protocol::SyncGroupRequest::api_key;
    answered_.push_back((asked->second.is_join ? "join " : "sync ") + asked->second.name + ": " +
                        text_of(done.body, api_key, asked->second.version));
    parked_.erase(asked);
  }
  last = std::move(outcome);
}

std::string ClassicRig::decided(const testing::RequestSpec& spec, const std::string& name) {
  testing::Outcome outcome = decide(spec);
  if (outcome.code != MUSTER_OK) throw std::logic_error("decide failed: " + outcome.error);
  if (!outcome.parks.empty()) {
    const bool is_join = spec.api_key == protocol::JoinGroupRequest::api_key;
    parked_[spec.id] = {is_join, spec.version, name};
  }
  const auto response = outcome.response;
  take(std::move(outcome));
  return response ? text_of(*response, spec.api_key, spec.version) : std::string(waits);
}

std::string ClassicRig::join(const Join& join) {
  return decided(spec_of(join), join.member.empty() ? join.client : join.member);
}

std::string ClassicRig::sync(const Sync& sync) { return decided(spec_of(sync), sync.member); }

std::string ClassicRig::beat(const Beat& beat) { return decided(spec_of(beat), beat.member); }

std::string ClassicRig::leave(const std::vector<Leaving>& members, std::int16_t version) {
  return decided(spec_of(members, version), "");
}

std::string ClassicRig::describe(std::string_view group, std::int16_t version) {
  protocol::DescribeGroupsRequest request;
  request.groups.push_back(group);
  testing::RequestSpec spec;
  spec.api_key = protocol::DescribeGroupsRequest::api_key;
  spec.version = version;
  protocol::encode(request, version, spec.body);
  const testing::Outcome outcome = decide(spec);
  const auto answer =
      *protocol::decode<protocol::DescribeGroupsResponse>(*outcome.response, version);
  const auto& told = answer.groups.front();
  std::string out = std::string(told.group_state) + " " + std::string(told.protocol_type) + "/" +
                    std::string(told.protocol_data);
  for (const auto& member : told.members) {
    out += ", " + alias_of(member.member_id) + " ";
    if (member.group_instance_id) out += "is " + std::string(*member.group_instance_id) + " ";
    out += std::string(protocol::as_text(member.member_metadata)) + "/" +
           std::string(protocol::as_text(member.member_assignment));
  }
  return out;
}

Lines ClassicRig::answered() { return std::exchange(answered_, {}); }

void ClassicRig::pass(std::int64_t ms) {
  for (testing::Outcome& outcome : advance(ms)) {
    if (outcome.code != MUSTER_OK) throw std::logic_error("on_timer failed: " + outcome.error);
    take(std::move(outcome));
  }
}

void ClassicRig::load_again() {
  reload();
  parked_.clear();
  take(loaded);
}

std::string ClassicRig::joins_at_once(const Join& join) { return this->join(join.at(3)); }

std::string ClassicRig::joins(const Join& join) {
  const std::string first = this->join(join);
  if (!first.starts_with("MEMBER_ID_REQUIRED ")) return first;
  return this->join(join.as(first.substr(first.find(' ') + 1)));
}

void ClassicRig::stable(const std::vector<Join>& members) {
  Lines aliases;
  Shares shares;
  for (const Join& member : members) {
    if (joins(member) != waits) throw std::logic_error("a member cannot join");
    aliases.push_back(member.instance.value_or(member.client) + "1");
    shares.emplace_back(aliases.back(), "for " + aliases.back());
  }
  // Newcomers extend the initial delay once.
  pass(members.size() == 1 ? 3000 : 6000);
  for (std::size_t i = members.size(); i-- > 0;) {
    Sync sync = syncs(aliases[i], 1, i == 0 ? shares : Shares());
    sync.group = members[i].group;
    sync.type = members[i].type;
    sync.protocol = members[i].offers.front().first;
    const std::string answer = this->sync(sync);
    if (i == 0 ? !answer.starts_with("has ") : answer != waits) {
      throw std::logic_error("a member cannot sync: " + answer);
    }
  }
  answered_.clear();
}

std::string ClassicRig::state(std::string_view group) {
  const auto owner = shard.owners.find(group);
  if (owner == shard.owners.end()) return "none";
  std::string out;
  const muster_listed_sink sink{sizeof sink, &out,
                                [](void* self, muster_str, muster_str, muster_str state) {
                                  *static_cast<std::string*>(self) = testing::copy_of(state);
                                }};
  table()->facet->describe_listed(shard_object(), testing::to_str(group), &sink);
  return out;
}

}  // namespace muster::classic
