// Members that go. [shard]
#include "leave.hpp"

namespace muster::consumer {

void remove_member(Draft& draft, std::string_view member_id) {
  const Group& group = draft.group;
  const MemberMetadata& metadata = group.find_member(member_id)->metadata;
  draft.records.remove_member(member_id);
  SubscriptionChange change;
  change.by_name(metadata.names(), -1);
  const std::string_view regex = metadata.regex();
  if (!regex.empty() && group.subscribers_of(regex) == 1) {
    draft.records.remove_regex(regex);
    if (const ResolvedRegex* resolved = group.resolved(regex)) {
      change.by_regex(resolved->topics, -1);
    }
  }
  draft.bump(draft.hash_after(change));
  if (group.members().size() == 1) draft.records.target_metadata(draft.epoch(), 0);
  draft.cancel_timer(Timer::session, member_id);
  draft.cancel_timer(Timer::rebalance, member_id);
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
