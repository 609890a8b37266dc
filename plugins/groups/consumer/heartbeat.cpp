// ConsumerGroupHeartbeat. Kafka's steps in Kafka's order: member, regular expressions, group epoch,
// target, reconciliation. [shard]
#include "heartbeat.hpp"

#include "advance.hpp"
#include "answer.hpp"
#include "leave.hpp"
#include "regex.hpp"
#include "subject.hpp"
#include "target.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;

std::optional<std::string> owned(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

bool same(const std::optional<std::string_view>& sent, const std::optional<std::string>& known) {
  return !sent || (known && *sent == *known);
}

// Whether the heartbeat says nothing about the member that is not known already.
bool brings_nothing_new(const HeartbeatRequest& message, const sdk::Request& request,
                        const MemberMetadata& known) {
  return same(message.instance_id, known.instance_id) && same(message.rack_id, known.rack_id) &&
         (message.rebalance_timeout_ms == -1 ||
          message.rebalance_timeout_ms == known.rebalance_timeout_ms) &&
         !message.subscribed_topic_names &&
         same(message.subscribed_topic_regex, known.topic_regex) &&
         same(message.server_assignor, known.server_assignor) &&
         request.client_id() == known.client_id && request.client_host() == known.client_host &&
         !known.classic;
}

// The departed static member goes, its copy under the new id comes, with all that it had.
void replace(Draft& draft, const Subject& subject) {
  draft.records.remove_member(*subject.replaces);
  draft.records.member_metadata(subject.id, subject.member.metadata);
  draft.records.target(subject.id, draft.group.target_of(*subject.replaces));
  draft.records.current(subject.id, subject.member.current);
  if (*subject.replaces != subject.id) {
    draft.cancel_timer(Timer::session, *subject.replaces);
    draft.cancel_timer(Timer::rebalance, *subject.replaces);
  }
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

void Heartbeat::decide(sdk::Decision& decision) const {
  if (const auto refusal = refuse_or_decide(decision)) {
    body_.clear();
    encode(*refusal, request_.version(), body_);
    decision.respond(body_);
  }
}

std::optional<Refusal> Heartbeat::refuse_or_decide(sdk::Decision& decision) const {
  if (auto refusal = check_permission(message_, request_, context_.host, context_.settings)) {
    return refusal;
  }
  if (auto refusal = check_request(message_, request_.version(), context_.settings)) return refusal;
  const bool leaves =
      message_.member_epoch == leave_epoch || message_.member_epoch == static_leave_epoch;
  return leaves ? leave(decision) : beat(decision);
}

std::optional<Refusal> Heartbeat::check_owner(const Group* known) const {
  if (!request_.owner().empty()) {
    return Refusal{Error::group_id_not_found,
                   sdk::text("Group ", message_.group_id, " is not a consumer group.")};
  }
  if (known != nullptr || message_.member_epoch == join_epoch) return std::nullopt;
  const bool leaves = message_.member_epoch < 0;
  return Refusal{Error::group_id_not_found, sdk::text(leaves ? "Group " : "Consumer group ",
                                                      message_.group_id, " not found.")};
}

bool Heartbeat::sends_everything() const {
  return message_.rebalance_timeout_ms != -1 &&
         (message_.subscribed_topic_names || message_.subscribed_topic_regex) &&
         message_.topic_partitions;
}

void Heartbeat::respond(sdk::Decision& decision, std::string_view member, std::int32_t epoch,
                        const AssignedPartitions* assignment) const {
  body_.clear();
  encode(HeartbeatAnswer{member, epoch,
                         context_.settings.heartbeat_interval_ms(message_.group_id), assignment},
         request_.version(), body_);
  decision.respond(body_);
}

// The heartbeat that nearly all are: everything is as it was, so only the session starts anew. What
// it finds is what `beat` would find, sooner.
bool Heartbeat::renew_steady(const Group& group, sdk::Decision& decision) const {
  if (group.epoch > group.assignment_epoch || group.notes.refresh_wanted ||
      match_is_due(context_, group)) {
    return false;
  }
  const Member* member = group.find_member(message_.member_id);
  if (member == nullptr || message_.member_epoch != member->current.epoch ||
      !member->current.is_reconciled_to(group.assignment_epoch) || sends_everything() ||
      !brings_nothing_new(message_, request_, member->metadata)) {
    return false;
  }
  decision.timer(member->session_key, context_.settings.session_timeout_ms(message_.group_id));
  respond(decision, message_.member_id, member->current.epoch, nullptr);
  return true;
}

MemberMetadata Heartbeat::updated(const MemberMetadata& before) const {
  MemberMetadata after = before;
  if (message_.instance_id) after.instance_id = owned(message_.instance_id);
  if (message_.rack_id) after.rack_id = owned(message_.rack_id);
  if (message_.rebalance_timeout_ms != -1) {
    after.rebalance_timeout_ms = message_.rebalance_timeout_ms;
  }
  if (message_.server_assignor) after.server_assignor = owned(message_.server_assignor);
  if (message_.subscribed_topic_names &&
      !same_names(*message_.subscribed_topic_names, before.names())) {
    after.topic_names =
        std::make_shared<const TopicNames>(to_topic_names(*message_.subscribed_topic_names));
  }
  if (message_.subscribed_topic_regex) after.topic_regex = owned(message_.subscribed_topic_regex);
  after.client_id = request_.client_id();
  after.client_host = request_.client_host();
  after.classic.reset();
  return after;
}

std::optional<Refusal> Heartbeat::beat(sdk::Decision& decision) const {
  const Group* known = context_.state.find(message_.group_id);
  if (auto refusal = check_owner(known)) return refusal;
  const Group& group = known != nullptr ? *known : context_.state.not_yet();
  if (renew_steady(group, decision)) return std::nullopt;

  const auto subject = find_subject(context_, group, message_);
  if (!subject) return subject.error();
  const MemberMetadata& before = subject->member.metadata;
  const MemberMetadata after = updated(before);

  Draft draft(context_, message_.group_id, group);
  if (subject->replaces != nullptr) replace(draft, *subject);
  if (after != before) draft.records.member_metadata(subject->id, after);
  const auto regexes =
      update_regexes(draft, before, after, {request_.principal(), request_.client_host()});
  if (!regexes) return regexes.error();

  const bool names_changed = after.names() != before.names();
  const std::size_t assignor =
      preferred_assignor_after(context_.settings, group, before, after);
  const bool assignor_changed = assignor != preferred_assignor(context_.settings, group);
  const bool bump =
      names_changed || *regexes == RegexUpdate::changed_and_resolved || assignor_changed;
  if (bump || group.notes.refresh_wanted) refresh(draft, before, after, bump);

  const bool subscription_changed = names_changed || *regexes != RegexUpdate::unchanged;
  const bool wants_assignment = message_.member_epoch == join_epoch || sends_everything();
  std::optional<Partitions> owned_partitions;
  if (message_.topic_partitions) owned_partitions = to_partitions(*message_.topic_partitions);
  draft.start_session(subject->id);
  draft.overtake_waiting(subject->id);

  if (ask_for_assignment(draft, assignor) && context_.settings.assignor_wait_ms() > 0) {
    draft.park(request_.id(), context_.settings.assignor_wait_ms(),
               {subject->id, draft.epoch(), subject->member.current.epoch, subscription_changed,
                wants_assignment, std::move(owned_partitions), request_.version()});
    draft.emit(decision);
    return std::nullopt;
  }
  const std::string_view target_holder =
      subject->replaces != nullptr ? std::string_view(*subject->replaces) : subject->id;
  const auto next = advance(
      draft, {subject->id, after, subject->member.current, group.assignment_epoch,
              group.target_of(target_holder), subscription_changed,
              owned_partitions ? &*owned_partitions : nullptr});
  if (!next) return Refusal{Error::fenced_member_epoch, std::string(unknown_state_message)};
  draft.emit(decision);
  const bool assignment_changed = next->assigned != subject->member.current.assigned;
  respond(decision, subject->id, next->epoch,
          wants_assignment || assignment_changed ? &next->assigned : nullptr);
  return std::nullopt;
}

std::optional<Refusal> Heartbeat::leave(sdk::Decision& decision) const {
  const Group* known = context_.state.find(message_.group_id);
  if (auto refusal = check_owner(known)) return refusal;
  const Group& group = *known;
  const auto id = find_leaving(group, message_);
  if (!id) return id.error();
  Draft draft(context_, message_.group_id, group);
  if (message_.instance_id && message_.member_epoch == static_leave_epoch) {
    leave_for_a_while(draft, *id);
  } else {
    remove_member(draft, *id);
  }
  draft.emit(decision);
  body_.clear();
  encode(HeartbeatAnswer{*id, message_.member_epoch, 0, nullptr}, request_.version(),
         body_);
  decision.respond(body_);
  return std::nullopt;
}

}  // namespace muster::consumer
