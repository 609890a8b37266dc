// Fencing of offsets. [shard]
#include "facet.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/txn_offset_commit_request.hpp>

#include <algorithm>
#include <optional>

namespace muster::consumer {
namespace {

using protocol::Error;

constexpr std::int16_t member_epoch_version = 9;            // of OffsetCommit
constexpr std::int16_t transactional_epoch_version = 6;     // of TxnOffsetCommit

bool is_transactional(const sdk::Commit& commit) {
  return commit.api_key() == protocol::TxnOffsetCommitRequest::api_key;
}

bool names_nobody(const sdk::Commit& commit) {
  return commit.epoch() == -1 && commit.member().empty() && !commit.instance();
}

// Classic members, and transactions of older producers, know no member epochs.
Error stale(const sdk::Commit& commit, const Member& member) {
  const bool knows_epochs =
      !member.metadata.classic &&
      (!is_transactional(commit) || commit.version() >= transactional_epoch_version);
  return knows_epochs ? Error::stale_member_epoch : Error::illegal_generation;
}

TopicId id_of(const Context& context, const sdk::TopicPartition& at) {
  if (!at.topic_id.is_zero()) return TopicId::of(at.topic_id);
  const auto topic = context.metadata().by_name(at.topic);
  return topic ? TopicId::of(topic->id()) : TopicId{};
}

// An older epoch may commit what the member has held since then.
bool has_held_since(const Context& context, const sdk::Commit& commit, const Member& member) {
  return std::ranges::all_of(commit.partitions(), [&](const sdk::TopicPartition& one) {
    const TopicPartition at{id_of(context, one), one.partition};
    const AssignedPartition* held = find(member.current.assigned, at);
    if (held == nullptr) held = find(member.current.pending_revocation, at);
    return held != nullptr && commit.epoch() >= held->epoch;
  });
}

Error check(const Context& context, const Group& group, const sdk::Commit& commit) {
  if (commit.epoch() < 0 && group.members().empty()) return Error::none;
  if (is_transactional(commit) && names_nobody(commit)) return Error::none;
  const Member* member = group.find_member(commit.member());
  if (member == nullptr) return Error::unknown_member_id;
  if (!is_transactional(commit) && !member->metadata.classic &&
      commit.version() < member_epoch_version) {
    return Error::unsupported_version;
  }
  if (commit.epoch() == member->current.epoch) return Error::none;
  if (commit.epoch() > member->current.epoch || !has_held_since(context, commit, *member)) {
    return stale(commit, *member);
  }
  return Error::none;
}

}  // namespace

void check_commit(const Context& context, const sdk::Commit& commit,
                  std::span<std::int16_t> errors) {
  const Group* group = context.state.find(commit.group());
  const Error error =
      group == nullptr ? Error::group_id_not_found : check(context, *group, commit);
  std::ranges::fill(errors, static_cast<std::int16_t>(error));
}

std::int16_t check_fetch(const Group& group, const sdk::Fetcher& who) {
  if (!who.member && who.epoch < 0) return 0;
  const Member* member = group.find_member(who.member.value_or(""));
  if (member == nullptr) return static_cast<std::int16_t>(Error::unknown_member_id);
  if (who.epoch == member->current.epoch) return 0;
  return static_cast<std::int16_t>(member->metadata.classic ? Error::illegal_generation
                                                            : Error::stale_member_epoch);
}

}  // namespace muster::consumer
