// The reconciliation of one member. Pure functions, any thread.
#include "reconcile.hpp"

#include <algorithm>

namespace muster::consumer {
namespace {

bool subscribes(const ReconcileInput& input, const TopicId& topic) {
  return std::ranges::binary_search(input.subscribed, topic);
}

// Whether the member may still own one of `revoked`: a member that does not say might.
bool owns_any(const ReconcileInput& input, const AssignedPartitions& revoked) {
  if (input.owned == nullptr) return true;
  return std::ranges::any_of(*input.owned,
                             [&](const TopicPartition& at) { return contains(revoked, at); });
}

// Same epoch, other subscription: what it does not subscribe to any more has to go.
CurrentAssignment drop_unsubscribed(const ReconcileInput& input) {
  CurrentAssignment next = input.current;
  next.assigned.clear();
  AssignedPartitions revoked = input.current.pending_revocation;
  for (const AssignedPartition& one : input.current.assigned) {
    (subscribes(input, one.topic) ? next.assigned : revoked).push_back(one);
  }
  if (next.assigned.size() == input.current.assigned.size()) return input.current;
  normalise(revoked);
  next.move_to_epoch(input.current.epoch);
  if (owns_any(input, revoked)) {
    next.state = MemberState::unrevoked_partitions;
    next.pending_revocation = std::move(revoked);
  }
  return next;
}

struct Step {
  AssignedPartitions keep;
  AssignedPartitions revoke;
  AssignedPartitions gain;
  bool waits = false;  // somebody else holds a partition it is meant to have
};

void want(const ReconcileInput& input, const TopicPartition& at, Step& step) {
  if (!subscribes(input, at.topic)) return;
  // One member holds a partition at a time: what this one was asked to revoke it may have back.
  if (input.owners.is_free(at) || contains(input.current.pending_revocation, at)) {
    step.gain.push_back({at.topic, at.partition, input.target_epoch});
  } else {
    step.waits = true;
  }
}

Step compare(const ReconcileInput& input) {
  Step step;
  auto held = input.current.assigned.begin();
  const auto held_end = input.current.assigned.end();
  for (const TopicPartition& at : input.target) {
    for (; held != held_end && held->place() < at; ++held) step.revoke.push_back(*held);
    if (held == held_end || held->place() != at) {
      want(input, at, step);
      continue;
    }
    (subscribes(input, at.topic) ? step.keep : step.revoke).push_back(*held);
    ++held;
  }
  step.revoke.insert(step.revoke.end(), held, held_end);
  return step;
}

CurrentAssignment next_assignment(const ReconcileInput& input) {
  Step step = compare(input);
  CurrentAssignment next = input.current;
  if (!step.revoke.empty() && owns_any(input, step.revoke)) {
    next.state = MemberState::unrevoked_partitions;
    next.move_to_epoch(input.current.epoch);
    next.assigned = std::move(step.keep);
    next.pending_revocation = std::move(step.revoke);
    return next;
  }
  next.state = step.waits ? MemberState::unreleased_partitions : MemberState::stable;
  next.move_to_epoch(input.target_epoch);
  next.assigned = std::move(step.keep);
  next.assigned.insert(next.assigned.end(), step.gain.begin(), step.gain.end());
  normalise(next.assigned);
  next.pending_revocation.clear();
  return next;
}

}  // namespace

std::optional<CurrentAssignment> reconcile(const ReconcileInput& input) {
  const CurrentAssignment& current = input.current;
  if (!input.subscription_changed && current.is_reconciled_to(input.target_epoch)) return current;
  switch (current.state) {
    case MemberState::stable:
      if (current.epoch != input.target_epoch) return next_assignment(input);
      return drop_unsubscribed(input);
    case MemberState::unrevoked_partitions:
      if (!owns_any(input, current.pending_revocation)) return next_assignment(input);
      return input.subscription_changed ? drop_unsubscribed(input) : current;
    case MemberState::unreleased_partitions:
      return next_assignment(input);
    case MemberState::unknown:
      if (input.owned == nullptr || !input.owned->empty()) return std::nullopt;
      return next_assignment(input);
  }
  return current;
}

}  // namespace muster::consumer
