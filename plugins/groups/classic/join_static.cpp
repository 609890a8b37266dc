// Static members that come back: JoinGroup without a member id, with an instance id that a member
// has. [shard]
#include <utility>

#include "join.hpp"
#include "rebalance.hpp"

namespace muster::classic {
namespace {

constexpr std::int16_t first_version_with_skip_assignment = 9;

// Whoever still waits under the old id is another process.
void fence(Draft& draft, const Member& departed) {
  if (departed.join) {
    draft.answer(*departed.join,
                 join_error(Error::fenced_instance_id, departed.id, departed.join->version));
  }
  if (departed.sync) {
    draft.answer(*departed.sync, sync_error(Error::fenced_instance_id, departed.sync->version));
  }
  draft.cancel_timer(Timer::session, departed.id);
}

}  // namespace

void JoinGroup::replace(Draft& draft, const Member& departed, std::string member_id) const {
  fence(draft, departed);
  const std::string old_leader = draft.header.leader.value_or("");
  const std::string old_id = departed.id;
  Member member = departed;
  member.id = std::move(member_id);
  member.is_new = false;
  member.join.reset();
  member.sync.reset();
  if (old_leader == old_id) draft.header.leader = member.id;
  draft.start_session(member);
  take_over(member);
  draft.erase(old_id);

  const bool was_stable = draft.header.is(GroupState::stable);
  const std::string why = reason(sdk::text("static member ", member.id, " takes its place"));
  draft.put(member);
  if (was_stable && draft.header.protocol_name == select_protocol(draft.roster())) {
    draft.store();
    return answer_replaced(draft, member, old_leader);
  }
  member.join = draft.request();
  draft.put(std::move(member));
  // The leader may assign to the old id already: it must be told of the new one.
  rebalance_or_complete_join(draft, why);
}

// No rebalance: the assignment stands. A leader must not make another, which nobody would get.
void JoinGroup::answer_replaced(Draft& draft, const Member& member,
                                std::string_view old_leader) const {
  Joined joined{draft.header, member.id, old_leader, nullptr, false};
  if (request_.version() >= first_version_with_skip_assignment) {
    joined.leader = draft.header.leader ? std::string_view(*draft.header.leader) : "";
    joined.skip_assignment = draft.header.is_leader(member.id);
    if (joined.skip_assignment) joined.members = &draft.roster();
  }
  draft.answer(join_answer(joined, request_.version()));
}

}  // namespace muster::classic
