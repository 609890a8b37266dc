// Members that go. [shard]
#include "leave.hpp"

namespace muster::consumer {

void remove_members(Draft& draft, const LeavingMembers& leaving) {
  const Group& group = draft.group;
  if (leaving.empty()) return;
  if (may_downgrade(draft.context, group, leaving)) return downgrade(draft, leaving);
  SubscriptionChange change;
  Group::Counts regexes;  // how many of the leaving have each
  for (const std::string_view id : leaving) {
    const MemberMetadata& metadata = group.find_member(id)->metadata;
    draft.records.remove_member(id);
    change.by_name(metadata.names(), -1);
    if (!metadata.regex().empty()) ++regexes[std::string(metadata.regex())];
    draft.cancel_timers(id);
  }
  for (const auto& [regex, count] : regexes) {
    if (group.subscribers_of(regex) > count) continue;
    draft.records.remove_regex(regex);
    if (const ResolvedRegex* resolved = group.resolved(regex)) {
      change.by_regex(resolved->topics, -1);
    }
  }
  draft.bump(draft.hash_after(change));
  if (group.members().size() == leaving.size()) draft.records.target_metadata(draft.epoch(), 0);
}

void leave_for_a_while(Draft& draft, std::string_view member_id) {
  CurrentAssignment departed = draft.group.find_member(member_id)->current;
  departed.epoch = static_leave_epoch;
  departed.pending_revocation.clear();
  // Whoever takes its place holds these partitions from the start.
  for (AssignedPartition& one : departed.assigned) one.epoch = 0;
  draft.records.current(member_id, departed);
}

}  // namespace muster::consumer
