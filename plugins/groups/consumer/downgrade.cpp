// A consumer group that becomes a classic group. [shard]
#include "downgrade.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "answer.hpp"
#include "classic_answers.hpp"
#include "embedded_protocol.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using protocol::GroupMetadataValue;

// One of the new classic group.
struct Staying {
  std::string_view id;
  const MemberMetadata& metadata;
  Partitions assigned;
};
using AllStaying = std::vector<Staying>;

// Before a rebalance what it may still hold, so that nobody else is given it if the group becomes a
// consumer group again before that is over; else what it is to have, which it has.
Partitions assigned_to(const Group& group, std::string_view member_id, bool rebalance) {
  return rebalance ? group.find_member(member_id)->current.held() : group.target_of(member_id);
}

bool is_small_enough(const Context& context, std::size_t members) {
  return static_cast<std::int64_t>(members) <= context.settings.classic_max_size();
}

protocol::Bytes metadata_for(const MemberMetadata& member, std::string_view protocol_name) {
  for (const auto& protocol : member.classic->supported_protocols) {
    if (protocol.name == protocol_name) return protocol.metadata;
  }
  return {};
}

// Each member votes for the first of its protocols that all have. Of equals the name that sorts
// first.
std::string_view selected_protocol(const AllStaying& members) {
  std::map<std::string_view, std::size_t> having;
  for (const Staying& member : members) {
    std::set<std::string_view> names;
    for (const auto& protocol : member.metadata.classic->supported_protocols) {
      names.insert(protocol.name);
    }
    for (const std::string_view name : names) ++having[name];
  }
  std::map<std::string_view, std::size_t> votes;
  for (const Staying& member : members) {
    for (const auto& protocol : member.metadata.classic->supported_protocols) {
      if (having[protocol.name] != members.size()) continue;
      ++votes[protocol.name];
      break;
    }
  }
  const auto winner = std::ranges::max_element(votes, {}, &decltype(votes)::value_type::second);
  return winner == votes.end() ? std::string_view() : winner->first;
}

// What waits for an assignor waits in vain: who joined must do so again, and who left is unknown.
void answer_all_waiting(Draft& draft) {
  for (const auto& [token, waiting] : draft.group.waiting) {
    protocol::Buffer body;
    if (waiting.is_join) {
      encode(JoinRefusal{Error::rebalance_in_progress, {}}, waiting.version, body);
    } else {
      encode(Refusal{Error::unknown_member_id, std::nullopt}, waiting.version, body);
    }
    draft.complete(token, std::move(body));
  }
}

// A record that says since when the group is stable asks for no rebalance.
constexpr std::int64_t not_stable = -1;

void become_classic(Draft& draft, const AllStaying& members, bool rebalance) {
  const Group& group = draft.group;
  const sdk::Metadata topics = draft.context.metadata();
  draft.records.remove_whole_group(group);
  GroupMetadataValue value;
  value.protocol_type = consumer_protocol_type;
  value.generation = group.epoch;
  value.protocol = selected_protocol(members);
  value.leader = members.front().id;
  value.current_state_timestamp = rebalance ? not_stable : draft.context.now_ms();
  std::deque<protocol::Buffer> assignments;  // a deque: they stay where they are
  for (const auto& [id, metadata, assigned] : members) {
    auto& member = value.members.emplace_back();
    member.member_id = id;
    member.group_instance_id = metadata.instance_id;
    member.client_id = metadata.client_id;
    member.client_host = metadata.client_host;
    member.rebalance_timeout = metadata.rebalance_timeout_ms;
    member.session_timeout = metadata.classic->session_timeout_ms;
    member.subscription = metadata_for(metadata, *value.protocol);
    member.assignment =
        assignments.emplace_back(write_assignment(assigned, member.subscription, topics));
  }
  draft.records.classic_group(value);
  for (const auto& [id, member] : group.members()) draft.cancel_timers(id);
  answer_all_waiting(draft);
  draft.context.host.info("group ", draft.group_id, " becomes a classic group");
}

}  // namespace

bool may_downgrade(const Context& context, const Group& group, const LeavingMembers& leaving) {
  const std::size_t staying = group.members().size() - leaving.size();
  const auto classic_leaving =
      static_cast<std::size_t>(std::ranges::count_if(leaving, [&](std::string_view id) {
        return group.find_member(id)->metadata.classic.has_value();
      }));
  return staying > 0 && group.classic_members() - classic_leaving == staying &&
         context.settings.downgrade_allowed() && is_small_enough(context, staying);
}

bool may_downgrade_replacing(const Context& context, const Group& group, const Member& replaced) {
  return !replaced.metadata.classic && group.classic_members() + 1 == group.members().size() &&
         context.settings.downgrade_allowed() && is_small_enough(context, group.members().size());
}

void downgrade(Draft& draft, const LeavingMembers& leaving) {
  AllStaying staying;
  for (const auto& [id, member] : draft.group.members()) {
    if (leaving.contains(id)) continue;
    staying.push_back({id, member.metadata, assigned_to(draft.group, id, true)});
  }
  become_classic(draft, staying, true);
}

void downgrade_replacing(Draft& draft, const Replacement& by, bool rebalance) {
  AllStaying staying;
  for (const auto& [id, member] : draft.group.members()) {
    const bool is_replaced = id == by.replaces;
    staying.push_back({is_replaced ? by.id : std::string_view(id),
                       is_replaced ? by.metadata : member.metadata,
                       assigned_to(draft.group, id, rebalance)});
  }
  become_classic(draft, staying, rebalance);
}

}  // namespace muster::consumer
