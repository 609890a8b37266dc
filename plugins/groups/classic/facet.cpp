#include "facet.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/txn_offset_commit_request.hpp>

#include "check_member.hpp"

namespace muster::classic {
namespace {

using protocol::Error;

Error check(const Group& group, const sdk::Commit& commit) {
  const Header& header = group.header;
  const bool is_transactional = commit.api_key() == protocol::TxnOffsetCommitRequest::api_key;
  // Administrators, and consumers that manage their partitions themselves.
  if (commit.epoch() < 0 && header.is(GroupState::empty)) return Error::none;
  if (commit.epoch() >= 0 || !commit.member().empty() || commit.instance()) {
    const Error error = check_member(group.roster, {commit.member(), commit.instance()});
    if (error != Error::none) return error;
    if (commit.epoch() != header.generation) return Error::illegal_generation;
  } else if (!is_transactional && !header.is(GroupState::empty)) {
    return Error::unknown_member_id;
  }
  // The member knows the new generation, but not what it will have in it.
  const bool is_between = header.is(GroupState::completing_rebalance) && !is_transactional;
  return is_between ? Error::rebalance_in_progress : Error::none;
}

}  // namespace

std::int16_t check_commit(const Group& group, const sdk::Commit& commit) {
  return protocol::code(check(group, commit));
}

bool renews_session(const Group& group) {
  return group.header.is(GroupState::stable) || group.header.is(GroupState::preparing_rebalance);
}

bool subscribes(const Group& group, std::string_view topic) {
  const Subscription& subscription = group.subscription();
  return subscription ? subscription->contains(topic) : group.header.is_consumers();
}

sdk::Expiry expires(const Group& group) {
  using When = sdk::Expiry::When;
  const Header& header = group.header;
  if (!header.protocol_type) return {.when = When::from_commit};
  if (header.is(GroupState::empty)) {
    if (header.state_since_ms < 0) return {.when = When::from_commit};
    return {.when = When::from_time, .from_ms = header.state_since_ms};
  }
  if (header.is(GroupState::stable) && header.is_consumers() && group.subscription()) {
    return {.when = When::from_commit, .from_ms = 0, .unsubscribed_only = true};
  }
  return {.when = When::never};
}

}  // namespace muster::classic
