#include "join.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rebalance.hpp"

namespace muster::classic {
namespace {

constexpr std::int16_t first_version_with_member_id_required = 4;

// Each name once, as Kafka keeps them.
SharedProtocols to_protocols(const protocol::JoinGroupRequest& message) {
  Protocols out;
  for (const auto& offered : message.protocols) {
    const auto is_same = [&](const Protocol& known) { return known.name == offered.name; };
    if (std::ranges::any_of(out, is_same)) continue;
    Protocol& one = out.emplace_back();
    one.name = offered.name;
    one.metadata.assign(offered.metadata.begin(), offered.metadata.end());
  }
  return std::make_shared<const Protocols>(std::move(out));
}

// "client-6ba7b810-9dad-41d1-80b4-00c04fd430c8", as Kafka's members are called.
std::string new_member_id(std::string_view of, const sdk::Host& host) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string id(of);
  const sdk::Uuid uuid = host.random_uuid();
  for (std::size_t i = 0; i < uuid.bytes.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += digits[uuid.bytes[i] >> 4];
    id += digits[uuid.bytes[i] & 0x0F];
  }
  return id;
}

}  // namespace

std::optional<protocol::Buffer> check_join(const protocol::JoinGroupRequest& message,
                                           const sdk::Request& request, const sdk::Host& host,
                                           const Settings& settings) {
  const std::int16_t version = request.version();
  if (!host.allowed({request.principal(), request.client_host()}, sdk::Operation::read,
                    sdk::Resource::group, message.group_id)) {
    return join_error(Error::group_authorization_failed, {}, version);
  }
  if (message.group_id.empty()) {
    return join_error(Error::invalid_group_id, message.member_id, version);
  }
  if (!settings.allows_session_timeout(message.session_timeout_ms)) {
    return join_error(Error::invalid_session_timeout, message.member_id, version);
  }
  return std::nullopt;
}

JoinGroup::JoinGroup(const Context& context, const sdk::Request& request,
                     const protocol::JoinGroupRequest& message)
    : context_(context), request_(request), message_(message), protocols_(to_protocols(message)) {}

void JoinGroup::decide(sdk::Decision& decision) const {
  if (auto refusal = check_join(message_, request_, context_.host, context_.settings)) {
    return decision.respond(*refusal);
  }
  if (!request_.owner().empty() && !may_take_over()) {
    return decision.respond(error(Error::inconsistent_group_protocol, {}));
  }
  const Group* group = context_.state.find(message_.group_id);
  if (group == nullptr && !is_new()) {
    return decision.respond(error(Error::unknown_member_id, message_.member_id));
  }
  Draft draft(context_, request_, message_.group_id,
              group == nullptr ? context_.state.not_yet() : *group);
  if (group == nullptr) {
    if (const auto owner = context_.shard.find_group(message_.group_id)) {
      if (owner->remove(message_.group_id) != 0) {
        return decision.respond(error(Error::inconsistent_group_protocol, {}));
      }
    }
    draft.store_new_group();
  }
  join(draft);
  draft.emit(decision);
}

// As Kafka: empty consumer and streams groups turn classic. A consumer group that is not empty
// keeps the request to itself.
bool JoinGroup::may_take_over() const {
  const auto owner = context_.shard.find_group(message_.group_id);
  if (!owner || !owner->has_facet()) return false;
  const auto listed = owner->describe_listed(message_.group_id);
  return listed && listed->state == "Empty" &&
         (listed->type == "consumer" || listed->type == "streams");
}

bool JoinGroup::has_room(const Draft& draft) const {
  const std::size_t max_size = context_.settings.max_size;
  const Member* member = draft.roster().find(message_.member_id);
  switch (draft.header.state) {
    case GroupState::empty: return true;
    // Counts who waits, so that the last to rejoin are kept out of a group that is too large.
    case GroupState::preparing_rebalance:
      return (member != nullptr && member->join) ||
             draft.roster().tally().waiting_joins() < max_size;
    case GroupState::completing_rebalance:
    case GroupState::stable:
      return member != nullptr || draft.roster().tally().members() < max_size;
  }
  return false;
}

// What the member offers goes with what the others do.
bool JoinGroup::fits(const Draft& draft) const {
  if (draft.header.is(GroupState::empty)) {
    return !message_.protocol_type.empty() && !protocols_->empty();
  }
  return draft.header.protocol_type == message_.protocol_type &&
         std::ranges::any_of(*protocols_, [&](const Protocol& protocol) {
           return draft.roster().tally().all_support(protocol.name);
         });
}

std::string JoinGroup::reason(std::string_view what) const {
  const std::string_view said = message_.reason.value_or(std::string_view());
  return sdk::text(what, "; client reason: ", said.empty() ? "not provided" : said);
}

void JoinGroup::join(Draft& draft) const {
  if (!has_room(draft)) return refuse_as_full(draft);
  if (!fits(draft)) {
    return draft.answer(error(Error::inconsistent_group_protocol, message_.member_id));
  }
  is_new() ? join_new(draft) : join_existing(draft);
}

// Who may not stay is not waited for either.
void JoinGroup::refuse_as_full(Draft& draft) const {
  draft.answer(error(Error::group_max_size_reached, {}));
  if (draft.is_pending(message_.member_id)) {
    remove_pending(draft, message_.member_id);
  } else if (draft.roster().find(message_.member_id) != nullptr) {
    remove_member(draft, message_.member_id);
  } else {
    return;
  }
  draft.cancel_timer(Timer::session, message_.member_id);
  if (draft.header.is(GroupState::preparing_rebalance)) maybe_complete_join(draft);
}

void JoinGroup::join_new(Draft& draft) const {
  std::string id =
      new_member_id(message_.group_instance_id.value_or(request_.client_id()), context_.host);
  if (message_.group_instance_id) {
    const Member* known = draft.roster().find_static(*message_.group_instance_id);
    return known != nullptr ? replace(draft, *known, std::move(id)) : add(draft, std::move(id));
  }
  if (request_.version() >= first_version_with_member_id_required) {
    return require_member_id(draft, std::move(id));
  }
  add(draft, std::move(id));
}

// Clients that give up after their first request would else leave members behind.
void JoinGroup::require_member_id(Draft& draft, std::string member_id) const {
  draft.set_pending(member_id, true);
  draft.start_timer(Timer::session, member_id, message_.session_timeout_ms);
  draft.answer(error(Error::member_id_required, member_id));
}

void JoinGroup::add(Draft& draft, std::string member_id) const {
  Header& header = draft.header;
  if (header.initial_delay) header.initial_delay->extended = true;
  if (draft.roster().empty()) header.protocol_type = message_.protocol_type;
  if (!header.leader) header.leader = member_id;
  Member member;
  member.id = std::move(member_id);
  if (message_.group_instance_id) member.instance_id = *message_.group_instance_id;
  member.client_id = request_.client_id();
  member.client_host = request_.client_host();
  member.is_new = true;
  take_over(member);
  member.join = draft.request();
  draft.set_pending(member.id, false);
  draft.start_timer(Timer::session, member.id, new_member_join_timeout_ms);
  const std::string why = reason(sdk::text("member ", member.id, " joins"));
  draft.put(std::move(member));
  rebalance_or_complete_join(draft, why);
}

void JoinGroup::join_existing(Draft& draft) const {
  const std::string_view id = message_.member_id;
  if (draft.is_pending(id)) {
    // Static members are never told to come back with an id.
    if (message_.group_instance_id) {
      return draft.answer(error(Error::unknown_server_error, {}));
    }
    return add(draft, std::string(id));
  }
  if (const auto& instance = message_.group_instance_id) {
    const Member* holder = draft.roster().find_static(*instance);
    if (holder == nullptr) return draft.answer(error(Error::unknown_member_id, id));
    if (holder->id != id) return draft.answer(error(Error::fenced_instance_id, id));
  }
  const Member* member = draft.roster().find(id);
  if (member == nullptr) return draft.answer(error(Error::unknown_member_id, id));
  rejoin(draft, *member);
}

void JoinGroup::rejoin(Draft& draft, const Member& member) const {
  const bool is_leader = draft.header.is_leader(member.id);
  const bool offers_the_same = *member.protocols == *protocols_;
  switch (draft.header.state) {
    case GroupState::preparing_rebalance: return update(draft, member, "rejoins");
    // The answer to its join may have been lost.
    case GroupState::completing_rebalance:
      if (offers_the_same) return answer_again(draft, member, is_leader);
      return update(draft, member, "changes its protocols");
    // A leader that rejoins has seen what others have not: topics that changed.
    case GroupState::stable:
      if (is_leader) return update(draft, member, "leads and rejoins");
      if (offers_the_same) return answer_again(draft, member, false);
      return update(draft, member, "changes its protocols");
    case GroupState::empty: break;
  }
  draft.answer(error(Error::unknown_member_id, member.id));
}

// What a join says of its member.
void JoinGroup::take_over(Member& member) const {
  member.protocols = protocols_;
  member.session_timeout_ms = message_.session_timeout_ms;
  member.rebalance_timeout_ms =
      request_.version() == 0 ? message_.session_timeout_ms : message_.rebalance_timeout_ms;
}

void JoinGroup::update(Draft& draft, Member member, std::string_view why) const {
  overtake_join(draft, member);
  take_over(member);
  member.join = draft.request();
  const std::string because = reason(sdk::text("member ", member.id, " ", why));
  draft.put(std::move(member));
  rebalance_or_complete_join(draft, because);
}

void JoinGroup::answer_again(Draft& draft, const Member& member, bool with_members) const {
  const std::string_view leader =
      draft.header.leader ? std::string_view(*draft.header.leader) : std::string_view();
  draft.answer(join_answer(
      {draft.header, member.id, leader, with_members ? &draft.roster() : nullptr, false},
      request_.version()));
}

}  // namespace muster::classic
