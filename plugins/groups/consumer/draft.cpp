// What a decision makes of one group, as far as it got. [shard]
#include "draft.hpp"

#include "metadata_hash.hpp"

namespace muster::consumer {
namespace {

std::string key_of(const Draft& draft, Timer timer, std::string_view member) {
  std::string key;
  append_key(key, {timer, draft.group_id, member});
  return key;
}

template <class OfNote>
void emit_note(sdk::Decision& decision, const OfNote& note) {
  const NoteBytes bytes = to_bytes(note);
  std::optional<sdk::Bytes> value;
  if (bytes.value) value = *bytes.value;
  decision.note(bytes.key, value);
}

}  // namespace

Draft::Draft(const Context& of, std::string_view id, const Group& before)
    : context(of),
      group_id(id),
      group(before),
      notes(before.notes),
      records(group_id),
      epoch_(before.epoch),
      metadata_hash_(before.metadata_hash) {}

void Draft::bump(std::uint64_t metadata_hash) {
  ++epoch_;
  metadata_hash_ = metadata_hash;
  records.group_epoch(epoch_, metadata_hash_);
  context.host.debug("group ", group_id, ": epoch ", epoch_);
}

std::uint64_t Draft::hash_after(const SubscriptionChange& change) const {
  return consumer::metadata_hash(group.subscribed_topics().after(change), context.metadata());
}

void Draft::start_timer(Timer timer, std::string_view member, std::uint32_t after_ms) {
  timers_.push_back({key_of(*this, timer, member), after_ms});
}

void Draft::cancel_timer(Timer timer, std::string_view member) {
  timers_.push_back({key_of(*this, timer, member), std::nullopt});
}

void Draft::cancel_timers(std::string_view member) {
  for (const Timer timer : {Timer::session, Timer::rebalance, Timer::join, Timer::sync}) {
    cancel_timer(timer, member);
  }
}

void Draft::start_session(std::string_view member, const MemberMetadata& metadata) {
  start_timer(Timer::session, member,
              metadata.classic ? to_timeout(metadata.classic->session_timeout_ms)
                               : context.settings.session_timeout_ms(group_id));
}

void Draft::ask_to_rejoin(std::string_view member, const MemberMetadata& metadata) {
  if (group.asked_to_rejoin().contains(member)) return;
  start_timer(Timer::join, member, to_timeout(metadata.rebalance_timeout_ms));
  rejoins_.emplace_back(member, true);
}

void Draft::end_rejoin(std::string_view member) {
  if (!group.asked_to_rejoin().contains(member)) return;
  cancel_timer(Timer::join, member);
  rejoins_.emplace_back(member, false);
}

void Draft::offload(Offload offload, std::string kind) {
  offloads_.push_back({to_text({offload, group_id}), std::move(kind)});
}

void Draft::park(std::uint64_t token, std::uint32_t deadline_ms, WaitingHeartbeat waiting) {
  parked_.push_back({token, deadline_ms, std::move(waiting)});
}

void Draft::overtake_waiting(std::string_view member_id) {
  for (const auto& [token, waiting] : group.waiting) {
    if (waiting.member_id != member_id || waiting.member_epoch == overtaken_epoch) continue;
    auto& overtaken = overtaken_.emplace_back(token, waiting).second;
    overtaken.member_epoch = overtaken_epoch;
  }
}

void Draft::complete(std::uint64_t token, protocol::Buffer body) {
  completed_.push_back({token, std::move(body)});
}

void Draft::emit_notes(sdk::Decision& decision) const {
  if (notes != group.notes) emit_note(decision, GroupNote{group_id, notes});
  for (const auto& [token, waiting] : overtaken_) {
    emit_note(decision, WaitingNote{group_id, token, waiting});
  }
  for (const Parked& one : parked_) {
    emit_note(decision, WaitingNote{group_id, one.token, one.waiting});
  }
  for (const Completed& one : completed_) {
    emit_note(decision, WaitingNote{group_id, one.token, std::nullopt});
  }
  for (const auto& [member, asked] : rejoins_) {
    emit_note(decision, RejoinNote{group_id, member, asked});
  }
}

void Draft::emit(sdk::Decision& decision) const {
  if (taken_over_ && taken_over_->remove(group_id) != 0) {
    throw sdk::Failure(MUSTER_INTERNAL, sdk::text("group ", group_id, " could not be taken over"));
  }
  for (const RecordBatch::Entry& entry : records.entries()) {
    std::optional<sdk::Bytes> value;
    if (entry.value) value = *entry.value;
    decision.record(entry.key, value);
  }
  emit_notes(decision);
  for (const TimerChange& timer : timers_) {
    timer.after_ms ? decision.timer(timer.key, *timer.after_ms) : decision.cancel(timer.key);
  }
  for (const Offloaded& one : offloads_) {
    decision.offload(one.key, static_cast<std::uint64_t>(epoch_), one.kind);
  }
  for (const Parked& one : parked_) decision.park(one.token, one.deadline_ms);
  for (const Completed& one : completed_) decision.complete(one.token, one.body);
}

}  // namespace muster::consumer
