// What a member's heartbeat or JoinGroup does to it and to the group. [shard]
#include "member_update.hpp"

#include "advance.hpp"
#include "target.hpp"

namespace muster::consumer {
namespace {

// The departed static member goes, its copy under the new id comes, with all that it had.
void replace(Draft& draft, const Subject& subject) {
  draft.records.remove_member(*subject.replaces);
  draft.records.member_metadata(subject.id, subject.member.metadata);
  draft.records.target(subject.id, draft.group.target_of(*subject.replaces));
  draft.records.current(subject.id, subject.member.current);
  if (*subject.replaces != subject.id) draft.cancel_timers(*subject.replaces);
}

// Bumps the group epoch if `wanted` or if the topics have changed.
void refresh(Draft& draft, const MemberMetadata& before, const MemberMetadata& after, bool wanted) {
  SubscriptionChange change;
  change.by_name(before.names(), -1);
  change.by_name(after.names(), 1);
  const Group& group = draft.group;
  const std::string_view old_regex = before.regex();
  // Of a regular expression that loses its last member the matches go too.
  if (old_regex != after.regex() && group.subscribers_of(old_regex) == 1) {
    if (const ResolvedRegex* gone = group.resolved(old_regex)) change.by_regex(gone->topics, -1);
  }
  const std::uint64_t hash = draft.hash_after(change);
  if (wanted || hash != group.metadata_hash) draft.bump(hash);
  draft.notes.refresh_wanted = false;
  if (group.has_partition_metadata) draft.records.remove_partition_metadata();
}

}  // namespace

std::expected<Updated, Refusal> update_member(Draft& draft, const MemberUpdate& update) {
  const Group& group = draft.group;
  const Settings& settings = draft.context.settings;
  const MemberMetadata& before = update.subject.member.metadata;
  const MemberMetadata& after = update.after;
  if (update.subject.replaces != nullptr) replace(draft, update.subject);
  if (after != before) draft.records.member_metadata(update.subject.id, after);
  const auto regexes = update_regexes(draft, before, after, update.caller);
  if (!regexes) return std::unexpected(regexes.error());

  Updated out;
  const bool names_changed = after.names() != before.names();
  out.subscription_changed = names_changed || *regexes != RegexUpdate::unchanged;
  out.assignor = preferred_assignor_after(settings, group, before, after);
  const bool assignor_changed = out.assignor != preferred_assignor(settings, group);
  const bool bump =
      names_changed || *regexes == RegexUpdate::changed_and_resolved || assignor_changed;
  if (bump || group.notes.refresh_wanted) refresh(draft, before, after, bump);
  return out;
}

std::expected<std::optional<CurrentAssignment>, Refusal> move_member(Draft& draft,
                                                                     MemberMove move) {
  const Group& group = draft.group;
  const Subject& subject = move.subject;
  const std::uint32_t wait_ms = draft.context.settings.assignor_wait_ms();
  draft.start_session(subject.id, move.after);
  draft.overtake_waiting(subject.id);
  if (ask_for_assignment(draft, move.updated.assignor) && wait_ms > 0) {
    WaitingHeartbeat& waiting = move.waiting;
    waiting.member_id = subject.id;
    waiting.wanted_epoch = draft.epoch();
    waiting.member_epoch = subject.member.current.epoch;
    waiting.subscription_changed = move.updated.subscription_changed;
    draft.park(move.token, wait_ms, std::move(waiting));
    return std::nullopt;
  }
  const std::string_view target_holder =
      subject.replaces != nullptr ? std::string_view(*subject.replaces) : subject.id;
  const auto& owned = move.waiting.owned;
  auto next = advance(draft, {subject.id, move.after, subject.member.current,
                              group.assignment_epoch, group.target_of(target_holder),
                              move.updated.subscription_changed, owned ? &*owned : nullptr});
  if (!next) {
    return std::unexpected(
        Refusal{protocol::Error::fenced_member_epoch, std::string(unknown_state_message)});
  }
  return next;
}

}  // namespace muster::consumer
