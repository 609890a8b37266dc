#include "draft.hpp"

#include <algorithm>
#include <utility>

namespace muster::classic {

Draft::Draft(const Context& of, std::string_view id, const Group& group)
    : context(of),
      group_id(id),
      header(group.header),
      group_(group),
      roster_(group.roster),
      pending_count_(group.pending.size()) {}

Draft::Draft(const Context& of, const sdk::Request& request, std::string_view id,
             const Group& group)
    : Draft(of, id, group) {
  request_ = Waiting{request.id(), request.version()};
}

bool Draft::is_pending(std::string_view member_id) const {
  const auto changed = pending_changes_.find(member_id);
  return changed != pending_changes_.end() ? changed->second : group_.pending.contains(member_id);
}

void Draft::put(Member member) {
  notes_.emplace_back(MemberNote{member});
  roster_.put(std::move(member));
}

void Draft::erase(std::string_view member_id) {
  notes_.emplace_back(GoneNote{std::string(member_id)});
  roster_.erase(member_id);
}

void Draft::change_all(Change change) {
  notes_.emplace_back(ChangeNote{change});
  roster_.change_all(change);
}

void Draft::set_pending(std::string_view member_id, bool is_pending) {
  if (this->is_pending(member_id) == is_pending) return;
  notes_.emplace_back(PendingNote{std::string(member_id), is_pending});
  pending_count_ = is_pending ? pending_count_ + 1 : pending_count_ - 1;
  pending_changes_.insert_or_assign(std::string(member_id), is_pending);
}

void Draft::move_to(GroupState state) {
  header.from_empty = header.state == GroupState::empty;
  header.state = state;
  header.state_since_ms = context.now_ms();
  header.initial_delay.reset();
}

void Draft::store(const Assignments* assignments) {
  record_ = encode_record(value_of(header, roster_, assignments));
}

void Draft::store_new_group() {
  header.state_since_ms = context.now_ms();
  record_ = record_of_new_group(header.state_since_ms);
}

void Draft::start_session(const Member& member) {
  start_timer(Timer::session, member.id, member.session_timeout_ms);
}

void Draft::start_timer(Timer timer, std::string_view member_id, std::int32_t after_ms) {
  std::string key;
  append_key(key, {timer, group_id, member_id});
  timers_.push_back({std::move(key), static_cast<std::uint32_t>(std::max(after_ms, 0))});
}

void Draft::cancel_timer(Timer timer, std::string_view member_id) {
  std::string key;
  append_key(key, {timer, group_id, member_id});
  timers_.push_back({std::move(key), std::nullopt});
}

void Draft::answer(const Waiting& waiting, protocol::Buffer body) {
  answers_.push_back({waiting.token, std::move(body)});
}

void Draft::emit_notes(sdk::Decision& decision) const {
  const auto emit_one = [&](const Note& note) {
    const NoteBytes bytes = to_bytes(group_id, note);
    decision.note(bytes.key, bytes.value);
  };
  for (const Note& note : notes_) emit_one(note);
  if (record_ || header != group_.header) emit_one(HeaderNote{header});
}

// The record first: replayed, it makes the group what a reload would, and the notes add the rest.
void Draft::emit(sdk::Decision& decision) {
  if (record_) decision.record(record_key(group_id), *record_);
  emit_notes(decision);
  for (const TimerChange& timer : timers_) {
    timer.after_ms ? decision.timer(timer.key, *timer.after_ms) : decision.cancel(timer.key);
  }
  bool is_answered = false;
  for (Answer& answer : answers_) {
    if (request_ && answer.token == request_->token) {
      is_answered = true;
      decision.respond_owned(std::move(answer.body));
    } else {
      decision.complete(answer.token, answer.body);
    }
  }
  if (request_ && !is_answered) decision.park(request_->token, 0);
}

}  // namespace muster::classic
