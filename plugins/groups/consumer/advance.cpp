// The last step of a heartbeat. [shard]
#include "advance.hpp"

#include <algorithm>

#include "answer.hpp"
#include "classic_answers.hpp"
#include "reconcile.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;

// Existing topics the member subscribes to. An expression not matched yet stands for none.
std::vector<TopicId> subscribed_ids(const Draft& draft, const MemberMetadata& metadata) {
  const sdk::Metadata topics = draft.context.metadata();
  std::vector<TopicId> ids;
  const auto add = [&](const TopicNames& names) {
    for (const std::string& name : names) {
      if (const auto topic = topics.by_name(name)) ids.push_back(TopicId::of(topic->id()));
    }
  };
  add(metadata.names());
  if (const ResolvedRegex* resolved = draft.group.resolved(metadata.regex())) add(resolved->topics);
  std::ranges::sort(ids);
  return ids;
}

protocol::Buffer to_body(const Refusal& refusal, const WaitingHeartbeat& waiting) {
  protocol::Buffer body;
  if (waiting.is_join) {
    encode(JoinRefusal{refusal.error, {}}, waiting.version, body);
  } else {
    encode(refusal, waiting.version, body);
  }
  return body;
}

protocol::Buffer to_body(const JoinAnswer& answer, std::int16_t version) {
  protocol::Buffer body;
  encode(answer, version, body);
  return body;
}

}  // namespace

std::optional<CurrentAssignment> advance(Draft& draft, const Advance& step) {
  if (!step.subscription_changed && step.current.is_reconciled_to(step.target_epoch)) {
    return step.current;
  }
  const std::vector<TopicId> subscribed = subscribed_ids(draft, step.metadata);
  auto next = reconcile({step.current, step.target_epoch, step.target, subscribed,
                         step.subscription_changed, step.owned, draft.group.owners()});
  if (!next || *next == step.current) return next;
  draft.records.current(step.member_id, *next);
  if (step.metadata.classic) return next;  // revokes by rejoining, which has timers of its own
  if (next->state == MemberState::unrevoked_partitions) {
    draft.start_timer(Timer::rebalance, step.member_id,
                      to_timeout(step.metadata.rebalance_timeout_ms));
  } else {
    draft.cancel_timer(Timer::rebalance, step.member_id);
  }
  return next;
}

void answer_waiting(Draft& draft, std::uint64_t token, const NewAssignment* assignment) {
  const Group& group = draft.group;
  const WaitingHeartbeat& waiting = group.waiting.at(token);
  const auto refuse = [&](Error error, std::string why) {
    draft.complete(token, to_body({error, std::move(why)}, waiting));
  };
  const Member* member = group.find_member(waiting.member_id);
  const bool is_other =
      member == nullptr || (waiting.is_join && !member->metadata.classic.has_value());
  if (is_other || member->current.epoch == static_leave_epoch) {
    return refuse(
        Error::unknown_member_id,
        sdk::text("Member ", waiting.member_id, " is not a member of group ", draft.group_id, "."));
  }
  std::optional<CurrentAssignment> next = member->current;
  // A later heartbeat came, or one has moved it on: what this one said it owns is out of date.
  const bool is_outdated = member->current.epoch != waiting.member_epoch;
  if (!is_outdated) {
    const Partitions* target = &group.target_of(waiting.member_id);
    if (assignment != nullptr) {
      const auto changed = assignment->targets.find(waiting.member_id);
      if (changed != assignment->targets.end()) target = &changed->second;
    }
    next =
        advance(draft, {waiting.member_id, member->metadata, member->current,
                        assignment != nullptr ? assignment->epoch : group.assignment_epoch, *target,
                        waiting.subscription_changed, waiting.owned ? &*waiting.owned : nullptr});
  }
  if (!next) {
    return refuse(Error::fenced_member_epoch, std::string(unknown_state_message));
  }
  if (waiting.is_join) {
    return draft.complete(token,
                          to_body(JoinAnswer{waiting.member_id, next->epoch,
                                             member->metadata.classic->first_protocol().name},
                                  waiting.version));
  }
  const bool wants_assignment =
      waiting.wants_assignment || is_outdated || next->assigned != member->current.assigned;
  protocol::Buffer body;
  encode(HeartbeatAnswer{waiting.member_id, next->epoch,
                         draft.context.settings.heartbeat_interval_ms(draft.group_id),
                         wants_assignment ? &next->assigned : nullptr},
         waiting.version, body);
  draft.complete(token, std::move(body));
}

}  // namespace muster::consumer
