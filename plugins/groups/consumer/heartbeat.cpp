// ConsumerGroupHeartbeat. Kafka's steps in Kafka's order: member, regular expressions, group epoch,
// target, reconciliation. [shard]
#include "heartbeat.hpp"

#include "answer.hpp"
#include "leave.hpp"
#include "member_update.hpp"
#include "regex.hpp"
#include "subject.hpp"

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

Refusal not_a_consumer_group(std::string_view group) {
  return {Error::group_id_not_found, sdk::text("Group ", group, " is not a consumer group.")};
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
  if (!request_.owner().empty()) return not_a_consumer_group(message_.group_id);
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
  encode(HeartbeatAnswer{member, epoch, context_.settings.heartbeat_interval_ms(message_.group_id),
                         assignment},
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

// A group of the classic protocol may become ours: a member of the new protocol joins it.
std::expected<Heartbeat::Basis, Refusal> Heartbeat::find_basis() const {
  if (const Group* known = context_.state.find(message_.group_id)) return Basis{known, {}, {}};
  if (request_.owner().empty() || message_.member_epoch != join_epoch) {
    if (auto refusal = check_owner(nullptr)) return std::unexpected(std::move(*refusal));
    return Basis{&context_.state.not_yet(), {}, {}};
  }
  const auto owner = context_.shard.find_group(message_.group_id);
  const auto listed =
      owner && owner->has_facet() ? owner->describe_listed(message_.group_id) : std::nullopt;
  if (!listed || listed->type != "classic") {
    return std::unexpected(not_a_consumer_group(message_.group_id));
  }
  if (listed->state == "Empty") return Basis{&context_.state.not_yet(), {}, owner};
  auto upgraded = upgrade(context_, message_.group_id, *owner, *listed);
  if (!upgraded) return std::unexpected(std::move(upgraded.error()));
  const Group* group = &(*upgraded)->group;
  return Basis{group, std::move(*upgraded), {}};
}

std::optional<Refusal> Heartbeat::beat(sdk::Decision& decision) const {
  const auto basis = find_basis();
  if (!basis) return basis.error();
  const Group& group = *basis->group;
  if (renew_steady(group, decision)) return std::nullopt;

  const auto subject = find_subject(context_, group, message_);
  if (!subject) return subject.error();
  const MemberMetadata after = updated(subject->member.metadata);

  Draft draft(context_, message_.group_id, group);
  if (basis->emptied) draft.take_over(*basis->emptied);
  if (basis->upgraded) {
    draft.records.remove_classic_group();
    draft.records.whole_group(group);
  }
  const auto changed =
      update_member(draft, {*subject, after, {request_.principal(), request_.client_host()}});
  if (!changed) return changed.error();
  if (subject->member.metadata.classic) {
    draft.end_rejoin(subject->id);
    draft.cancel_timer(Timer::sync, subject->id);
  }

  WaitingHeartbeat waiting;
  waiting.wants_assignment = message_.member_epoch == join_epoch || sends_everything();
  waiting.version = request_.version();
  if (message_.topic_partitions) waiting.owned = to_partitions(*message_.topic_partitions);
  const bool wants_assignment = waiting.wants_assignment;
  const auto next =
      move_member(draft, {*subject, after, *changed, request_.id(), std::move(waiting)});
  if (!next) return next.error();
  draft.emit(decision);
  if (!*next) return std::nullopt;
  const bool assignment_changed = (*next)->assigned != subject->member.current.assigned;
  respond(decision, subject->id, (*next)->epoch,
          wants_assignment || assignment_changed ? &(*next)->assigned : nullptr);
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
    remove_members(draft, {*id});
  }
  draft.emit(decision);
  body_.clear();
  encode(HeartbeatAnswer{*id, message_.member_epoch, 0, nullptr}, request_.version(), body_);
  decision.respond(body_);
  return std::nullopt;
}

}  // namespace muster::consumer
