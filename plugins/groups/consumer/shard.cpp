// The slots of a shard: requests, timers, tasks, metadata. [shard]
#include "shard.hpp"

#include <algorithm>
#include <set>

#include "advance.hpp"
#include "assignor_view.hpp"
#include "classic_join.hpp"
#include "classic_member.hpp"
#include "consumer_groups.hpp"
#include "describe.hpp"
#include "draft.hpp"
#include "leave.hpp"
#include "parse.hpp"
#include "regex.hpp"

namespace muster::consumer {

Shard::Shard(ConsumerGroups& plugin, sdk::ShardHost host)
    : settings_(plugin.settings()), host_(plugin.host()), shard_(host) {}

void Shard::replay(const sdk::Replayed& replayed, sdk::Directory& directory) {
  state_.replay(replayed, directory);
}

const Group& Shard::existing(std::string_view group) const {
  const Group* found = state_.find(group);
  if (found == nullptr) {
    throw sdk::Failure(MUSTER_UNAVAILABLE, sdk::text("no consumer group ", group));
  }
  return *found;
}

void Shard::arm_timers(std::string_view id, const Group& group, sdk::Decision& decision) const {
  const Context context = this->context();
  Draft draft(context, id, group);
  for (const auto& [member_id, member] : group.members()) {
    draft.start_session(member_id, member.metadata);
    if (member.current.state == MemberState::unrevoked_partitions && !member.metadata.classic) {
      draft.start_timer(Timer::rebalance, member_id,
                        to_timeout(member.metadata.rebalance_timeout_ms));
    }
  }
  draft.emit(decision);
}

void Shard::on_loaded(sdk::Decision& decision) const {
  for (const auto& [id, group] : state_.groups()) arm_timers(id, *group, decision);
}

void Shard::on_owner(std::string_view group, bool mine, sdk::Decision& decision) const {
  if (mine) arm_timers(group, existing(group), decision);
}

void Shard::decide(const sdk::Request& request, sdk::Decision& decision) const {
  const Context context = this->context();
  switch (request.api_key()) {
    case HeartbeatRequest::api_key: {
      const auto message = parse<HeartbeatRequest>(request);
      return Heartbeat(context, request, message, body_).decide(decision);
    }
    case DescribeRequest::api_key:
      return describe(context, request, parse<DescribeRequest>(request), decision);
    case JoinRequest::api_key: {
      const auto message = parse<JoinRequest>(request);
      return ClassicJoin(context, request, message).decide(decision);
    }
    case SyncRequest::api_key: return sync(context, request, parse<SyncRequest>(request), decision);
    case BeatRequest::api_key: return beat(context, request, parse<BeatRequest>(request), decision);
    case LeaveRequest::api_key:
      return leave(context, request, parse<LeaveRequest>(request), decision);
    default:
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that this protocol does not claim");
  }
}

namespace {

// Its newest heartbeat waits for the assignor.
bool is_waiting(const Group& group, std::string_view member_id) {
  return std::ranges::any_of(group.waiting, [&](const auto& entry) {
    const WaitingHeartbeat& waiting = entry.second;
    return waiting.member_id == member_id && waiting.member_epoch != overtaken_epoch;
  });
}

// Timers may fire late. What a classic member was to do in time it need not do as another one.
bool is_still_due(const Group& group, const TimerKey& key, const Member& member) {
  const bool is_classic = member.metadata.classic.has_value();
  switch (key.timer) {
    case Timer::rebalance:
      return !is_classic && member.current.state == MemberState::unrevoked_partitions &&
             member.current.epoch != static_leave_epoch;
    case Timer::join: return is_classic && group.asked_to_rejoin().contains(key.member);
    case Timer::sync: return is_classic;
    case Timer::session: break;
  }
  return true;
}

std::string_view reason(Timer timer) {
  switch (timer) {
    case Timer::rebalance: return "it did not revoke its partitions in time";
    case Timer::join: return "it did not rejoin in time";
    case Timer::sync: return "it did not fetch its assignment in time";
    case Timer::session: break;
  }
  return "its session expired";
}

}  // namespace

void Shard::on_timer(std::string_view text, sdk::Decision& decision) const {
  const auto key = parse_timer_key(text);
  if (!key) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "not a timer of this protocol");
  const Group* group = state_.find(key->group);
  const Member* member = group == nullptr ? nullptr : group->find_member(key->member);
  if (member == nullptr) return;
  const Timer timer = key->timer;
  if (!is_still_due(*group, *key, *member)) return;
  if (timer != Timer::session && is_waiting(*group, key->member)) {
    // What it has revoked may be said in there and is looked at once the wait is over.
    return decision.timer(text, std::max(settings_.assignor_wait_ms(), 1U));
  }
  host_.info("group ", key->group, ": member ", key->member, " is removed: ", reason(timer));
  const Context context = this->context();
  Draft draft(context, key->group, *group);
  remove_members(draft, {key->member});
  draft.emit(decision);
}

void Shard::on_expired(std::uint64_t token, sdk::Decision& decision) const {
  const std::string* id = state_.waiting_at(token);
  if (id == nullptr) return;  // its group is gone; the host refuses it
  const Context context = this->context();
  Draft draft(context, *id, existing(*id));
  answer_waiting(draft, token, nullptr);
  draft.emit(decision);
}

void Shard::task_input(const sdk::Task& task, sdk::InputSink& out) const {
  const auto key = parse_offload_key(task.key);
  if (!key) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "not a task of this protocol");
  const Group& group = existing(key->group);
  const Context context = this->context();
  if (key->offload == Offload::regex) return out.bytes(regex_input(context, group));
  out.partitions(AssignorView(key->group, group, context.metadata()).table());
}

void Shard::on_task(const sdk::Task& task, const sdk::TaskResult& result,
                    sdk::Decision& decision) const {
  const auto key = parse_offload_key(task.key);
  if (!key) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "not a task of this protocol");
  const Group* group = state_.find(key->group);
  if (group == nullptr) return;  // gone meanwhile
  const Context context = this->context();
  Draft draft(context, key->group, *group);
  if (key->offload == Offload::regex) {
    on_matches(result, draft);
  } else {
    on_assignment(task, result, draft);
  }
  draft.emit(decision);
}

void Shard::on_matches(const sdk::TaskResult& result, Draft& draft) const {
  draft.notes.regex_run.reset();
  if (result.ok()) return apply_matches(draft, result.bytes());
  host_.warn("group ", draft.group_id, ": its regular expressions could not be matched");
}

// A result is used if it is newer than the target the group has, even if the group has moved on
// since. The group keeps its last good assignment where an assignor fails.
void Shard::on_assignment(const sdk::Task& task, const sdk::TaskResult& result,
                          Draft& draft) const {
  const auto epoch = static_cast<std::int32_t>(task.epoch);
  if (draft.notes.asked_epoch == 0 || epoch > draft.notes.asked_epoch) return;
  if (result.ok() && is_of_former_group(draft.group, epoch, result.partitions())) return;
  const bool is_last = epoch == draft.notes.asked_epoch;
  if (is_last) draft.notes.asked_epoch = 0;
  NewTargets targets;
  std::optional<NewAssignment> assignment;
  if (!result.ok()) {
    draft.notes.assignor_failed_at_ms = draft.context.now_ms();
    host_.error("group ", draft.group_id, ": no assignment for epoch ", epoch, " by '", task.kind,
                "'; the last one stays");
  } else if (epoch > draft.group.assignment_epoch) {
    draft.notes.assignor_failed_at_ms = 0;
    targets = apply_assignment(draft, epoch, result.partitions());
    assignment.emplace(NewAssignment{epoch, targets});
  }
  for (const auto& [token, waiting] : draft.group.waiting) {
    const bool waits_for_more = waiting.wanted_epoch > epoch && !is_last;
    if (!waits_for_more) answer_waiting(draft, token, assignment ? &*assignment : nullptr);
  }
}

void Shard::on_metadata(const sdk::Metadata& metadata, sdk::TopicChanges changes,
                        sdk::Decision& decision) const {
  bool has_new = false;
  std::set<std::string_view> stale;
  for (const sdk::TopicChange& change : changes) {
    has_new = has_new || change.what == sdk::Change::created;
    if (const auto* groups = state_.groups_by_topic().find(change.name)) {
      stale.insert(groups->begin(), groups->end());
    }
  }
  if (has_new) {
    const NoteBytes note = to_bytes(NewTopicsNote{static_cast<std::int64_t>(metadata.version())});
    decision.note(note.key, *note.value);
  }
  const Context context = this->context();
  for (const std::string_view id : stale) {
    Draft draft(context, id, existing(id));
    draft.notes.refresh_wanted = true;
    draft.emit(decision);
  }
}

}  // namespace muster::consumer
