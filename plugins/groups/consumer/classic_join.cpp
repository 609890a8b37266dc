// JoinGroup of a classic member in a consumer group: it becomes a member like any other, is
// assigned by the server, and learns its partitions from SyncGroup. [shard]
#include "classic_join.hpp"

#include <algorithm>

#include "advance.hpp"
#include "downgrade.hpp"
#include "embedded_protocol.hpp"
#include "member_update.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;

constexpr std::int16_t member_id_required_version = 4;

bool needs_member_id(const JoinRequest& join, std::int16_t version) {
  return join.member_id.empty() && !join.group_instance_id && version >= member_id_required_version;
}

// One of its protocols must be known to every classic member there is.
bool is_supported(const Group& group, const JoinRequest& join) {
  if (join.protocol_type != consumer_protocol_type) return false;
  const auto members = static_cast<std::int32_t>(group.classic_members());
  return std::ranges::any_of(join.protocols, [&](const auto& protocol) {
    const auto found = group.classic_protocols().find(protocol.name);
    return (found == group.classic_protocols().end() ? 0 : found->second) == members;
  });
}

JoinRefusal to_join_refusal(const Refusal& refusal) { return {refusal.error, {}}; }

}  // namespace

Error check_join(const JoinRequest& join, const sdk::Request& request, const sdk::Host& host,
                 const Settings& settings) {
  const sdk::Principal who{request.principal(), request.client_host()};
  if (!host.allowed(who, sdk::Operation::read, sdk::Resource::group, join.group_id)) {
    return Error::group_authorization_failed;
  }
  if (join.group_id.empty()) return Error::invalid_group_id;
  if (!settings.is_session_timeout(join.session_timeout_ms)) return Error::invalid_session_timeout;
  return Error::none;
}

void ClassicJoin::respond(sdk::Decision& decision, const JoinAnswer& answer) const {
  protocol::Buffer body;
  encode(answer, request_.version(), body);
  decision.respond_owned(std::move(body));
}

void ClassicJoin::respond(sdk::Decision& decision, const JoinRefusal& refusal) const {
  protocol::Buffer body;
  encode(refusal, request_.version(), body);
  decision.respond_owned(std::move(body));
}

void ClassicJoin::decide(sdk::Decision& decision) const {
  const Error error = check_join(message_, request_, context_.host, context_.settings);
  if (error == Error::group_authorization_failed) return respond(decision, {error, {}});
  if (error != Error::none) return respond(decision, JoinRefusal{error, message_.member_id});
  const Group* group = context_.state.find(message_.group_id);
  if (group == nullptr) {
    // Asked in place of a classic protocol that is not loaded.
    return respond(decision, JoinRefusal{Error::inconsistent_group_protocol, {}});
  }
  // Without members it is anybody's: the classic protocol may take it over.
  if (group->members().empty()) return decision.hand_on();

  const std::string member_id =
      message_.member_id.empty() ? new_member_id(context_) : std::string(message_.member_id);
  JoinRefusal refusal = check(*group);
  if (refusal.error == Error::none && needs_member_id(message_, request_.version())) {
    refusal = {Error::member_id_required, member_id};
  }
  if (refusal.error != Error::none) return respond(decision, refusal);
  if (const auto refused = join(*group, member_id, decision)) respond(decision, *refused);
}

JoinRefusal ClassicJoin::check(const Group& group) const {
  if (!context_.settings.classic_members_allowed()) {
    return {Error::inconsistent_group_protocol, {}};
  }
  if (const auto full =
          check_size(context_, group, message_.member_id, message_.group_instance_id)) {
    return to_join_refusal(*full);
  }
  if (!is_supported(group, message_)) return {Error::inconsistent_group_protocol, {}};
  if (is_lost(group)) return {Error::unknown_member_id, message_.member_id};
  return {};
}

// Removed, and does not know it yet: what it owns may be another's by now, and it gives that up
// only if it is told that it is nobody. Kafka makes a member of it again.
bool ClassicJoin::is_lost(const Group& group) const {
  if (message_.member_id.empty() || message_.group_instance_id) return false;
  if (group.find_member(message_.member_id) != nullptr) return false;
  const auto subscription = read_subscription(message_.protocols.front().metadata);
  return subscription && !subscription->owned_partitions.empty();
}

std::optional<MemberMetadata> ClassicJoin::updated(const MemberMetadata& before) const {
  const auto subscription = read_subscription(message_.protocols.front().metadata);
  if (!subscription) return std::nullopt;
  MemberMetadata after = before;
  if (message_.group_instance_id) after.instance_id = std::string(*message_.group_instance_id);
  if (subscription->rack_id && !subscription->rack_id->empty()) {
    after.rack_id = std::string(*subscription->rack_id);
  }
  const std::int32_t timeout_ms =
      request_.version() == 0 ? message_.session_timeout_ms : message_.rebalance_timeout_ms;
  if (timeout_ms != -1) after.rebalance_timeout_ms = timeout_ms;
  after.topic_names = std::make_shared<const TopicNames>(to_topic_names(subscription->topics));
  after.topic_regex = "";  // classic members have none
  after.client_id = request_.client_id();
  after.client_host = request_.client_host();
  auto& classic = after.classic.emplace();
  classic.session_timeout_ms = message_.session_timeout_ms;
  for (const auto& protocol : message_.protocols) {
    classic.supported_protocols.push_back(
        {std::string(protocol.name), {protocol.metadata.begin(), protocol.metadata.end()}});
  }
  return after;
}

// An eager member lists none: it has revoked all of them.
Partitions ClassicJoin::owned() const {
  const auto subscription = read_subscription(message_.protocols.front().metadata);
  return to_partitions(subscription->owned_partitions, context_.metadata());
}

namespace {

// Nobody but this one holds other partitions than the target gives him. Otherwise what was assigned
// to one may still be in the hands of another, and only a rebalance brings that in order.
bool are_settled(const Group& group, std::string_view but) {
  return std::ranges::all_of(group.members(), [&](const auto& entry) {
    return entry.first == but || entry.second.current.is_reconciled_to(group.assignment_epoch);
  });
}

}  // namespace

std::optional<JoinRefusal> ClassicJoin::join(const Group& group, std::string member_id,
                                             sdk::Decision& decision) const {
  const bool is_new = message_.member_id.empty();
  const auto subject = find_subject(group, message_, std::move(member_id), is_new);
  if (!subject) return to_join_refusal(subject.error());
  const auto after = updated(subject->member.metadata);
  if (!after) return JoinRefusal{Error::inconsistent_group_protocol, {}};
  const std::string* holder =
      message_.group_instance_id ? group.static_member(*message_.group_instance_id) : nullptr;
  if (holder != nullptr && may_downgrade_replacing(context_, group, *group.find_member(*holder))) {
    return take_last_place(group, *subject, *after, decision);
  }
  Draft draft(context_, message_.group_id, group);
  return stay(draft, *subject, *after, decision);
}

std::optional<JoinRefusal> ClassicJoin::stay(Draft& draft, const Subject& subject,
                                             const MemberMetadata& after,
                                             sdk::Decision& decision) const {
  const auto changed =
      update_member(draft, {subject, after, {request_.principal(), request_.client_host()}});
  if (!changed) return to_join_refusal(changed.error());
  draft.end_rejoin(subject.id);
  draft.cancel_timer(Timer::rebalance, subject.id);
  draft.start_timer(Timer::sync, subject.id, to_timeout(after.rebalance_timeout_ms));
  WaitingHeartbeat waiting;
  waiting.is_join = true;
  waiting.version = request_.version();
  waiting.owned = owned();
  const auto next =
      move_member(draft, {subject, after, *changed, request_.id(), std::move(waiting)});
  if (!next) return to_join_refusal(next.error());
  draft.emit(decision);
  if (*next)
    respond(decision, JoinAnswer{subject.id, (*next)->epoch, message_.protocols.front().name});
  return std::nullopt;
}

// The last member of the new protocol is replaced: the group becomes classic. Those who stay are
// told to rebalance only if the assignment is out of date.
std::optional<JoinRefusal> ClassicJoin::take_last_place(const Group& group, const Subject& subject,
                                                        const MemberMetadata& after,
                                                        sdk::Decision& decision) const {
  Draft thought(context_, message_.group_id, group);  // of what would be, had it stayed
  const auto changed =
      update_member(thought, {subject, after, {request_.principal(), request_.client_host()}});
  if (!changed) return to_join_refusal(changed.error());
  const std::string* holder = group.static_member(*message_.group_instance_id);
  const bool rebalance = group.assignment_epoch < thought.epoch() || !are_settled(group, *holder);
  std::int32_t generation = subject.member.current.epoch;
  if (!rebalance) {
    const Partitions owned = this->owned();
    const auto next =
        advance(thought, {subject.id, after, subject.member.current, group.assignment_epoch,
                          group.target_of(*holder), changed->subscription_changed, &owned});
    if (!next) return JoinRefusal{Error::fenced_member_epoch, {}};
    generation = next->epoch;
  }
  Draft draft(context_, message_.group_id, group);
  downgrade_replacing(draft, {subject.id, after, *holder}, rebalance);
  draft.emit(decision);
  respond(decision, JoinAnswer{subject.id, generation, message_.protocols.front().name});
  return std::nullopt;
}

}  // namespace muster::consumer
