// One consumer group. [shard]
#include "group.hpp"

#include <algorithm>

#include "keys.hpp"

namespace muster::consumer {
namespace {

void add(Group::Counts& counts, std::string_view name, std::int32_t delta) {
  auto found = counts.find(name);
  if (found == counts.end()) found = counts.try_emplace(std::string(name)).first;
  found->second += delta;
  if (found->second <= 0) counts.erase(found);
}

}  // namespace

const Member* Group::find_member(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const std::string* Group::static_member(std::string_view instance_id) const {
  const auto found = static_members_.find(instance_id);
  return found == static_members_.end() ? nullptr : &found->second;
}

const Partitions& Group::target_of(std::string_view member_id) const {
  static const Partitions none;
  const auto found = targets_.find(member_id);
  return found == targets_.end() ? none : found->second;
}

const ResolvedRegex* Group::resolved(std::string_view regex) const {
  const auto found = resolved_regexes_.find(regex);
  return found == resolved_regexes_.end() ? nullptr : &found->second;
}

std::int32_t Group::subscribers_of(std::string_view regex) const {
  const auto found = subscribed_regexes_.find(regex);
  return found == subscribed_regexes_.end() ? 0 : found->second;
}

Member& Group::member(std::string_view id) {
  const auto found = members_.find(id);
  if (found != members_.end()) return found->second;
  auto& [key, added] = *members_.try_emplace(std::string(id)).first;
  append_key(added.session_key, {Timer::session, id_, key});
  by_id_.emplace(key, &added);
  return added;
}

void Group::count(const MemberMetadata& metadata, std::int32_t delta) {
  SubscriptionChange change;
  change.by_name(metadata.names(), delta);
  subscribed_topics_.apply(change);
  if (!metadata.regex().empty()) add(subscribed_regexes_, metadata.regex(), delta);
  if (metadata.server_assignor) add(server_assignors_, *metadata.server_assignor, delta);
  if (!metadata.classic) return;
  classic_members_ += static_cast<std::size_t>(delta);
  for (const auto& protocol : metadata.classic->supported_protocols) {
    add(classic_protocols_, protocol.name, delta);
  }
}

void Group::forget_instance(const MemberMetadata& metadata, std::string_view member_id) {
  if (!metadata.instance_id) return;
  const auto found = static_members_.find(*metadata.instance_id);
  if (found != static_members_.end() && found->second == member_id) static_members_.erase(found);
}

void Group::put_metadata(std::string_view member_id, MemberMetadata metadata,
                         std::span<const std::string_view> names) {
  Member& of = member(member_id);
  metadata.topic_names = names_.share(names);
  // The new ones are counted first, so that what stays never drops to nothing in between.
  count(metadata, 1);
  count(of.metadata, -1);
  forget_instance(of.metadata, member_id);
  if (metadata.instance_id) static_members_[*metadata.instance_id] = member_id;
  std::swap(of.metadata, metadata);
  names_.let_go(std::move(metadata.topic_names));
}

bool Group::put_current(std::string_view member_id, CurrentAssignment current) {
  Member& of = member(member_id);
  owners_.release(of.current.assigned, of.current.epoch);
  owners_.release(of.current.pending_revocation, of.current.epoch);
  of.current = std::move(current);
  return owners_.take(of.current.assigned, of.current.epoch) &&
         owners_.take(of.current.pending_revocation, of.current.epoch);
}

void Group::drop_current(std::string_view member_id) {
  const auto found = members_.find(member_id);
  if (found == members_.end()) return;
  CurrentAssignment gone;
  gone.epoch = leave_epoch;
  gone.previous_epoch = leave_epoch;
  gone.state = found->second.current.state;
  static_cast<void>(put_current(member_id, std::move(gone)));  // holds nothing, so cannot clash
}

void Group::drop_member(std::string_view member_id) {
  const auto found = members_.find(member_id);
  if (found == members_.end()) return;
  MemberMetadata& metadata = found->second.metadata;
  count(metadata, -1);
  forget_instance(metadata, member_id);
  names_.let_go(std::move(metadata.topic_names));
  put_rejoin(member_id, false);
  by_id_.erase(found->first);
  members_.erase(found);
}

void Group::put_target(std::string_view member_id, Partitions target) {
  const auto found = targets_.find(member_id);
  if (found != targets_.end()) {
    found->second = std::move(target);
  } else {
    targets_.try_emplace(std::string(member_id), std::move(target));
  }
}

void Group::drop_target(std::string_view member_id) {
  const auto found = targets_.find(member_id);
  if (found != targets_.end()) targets_.erase(found);
}

void Group::put_regex(std::string_view regex, ResolvedRegex resolved) {
  SubscriptionChange change;
  change.by_regex(resolved.topics, 1);
  const auto found = resolved_regexes_.find(regex);
  if (found == resolved_regexes_.end()) {
    subscribed_topics_.apply(change);
    resolved_regexes_.try_emplace(std::string(regex), std::move(resolved));
    return;
  }
  change.by_regex(found->second.topics, -1);
  subscribed_topics_.apply(change);
  found->second = std::move(resolved);
}

void Group::drop_regex(std::string_view regex) {
  const auto found = resolved_regexes_.find(regex);
  if (found == resolved_regexes_.end()) return;
  SubscriptionChange change;
  change.by_regex(found->second.topics, -1);
  subscribed_topics_.apply(change);
  resolved_regexes_.erase(found);
}

void Group::put_rejoin(std::string_view member_id, bool asked) {
  if (asked) {
    if (find_member(member_id) != nullptr) asked_to_rejoin_.emplace(member_id);
    return;
  }
  const auto found = asked_to_rejoin_.find(member_id);
  if (found != asked_to_rejoin_.end()) asked_to_rejoin_.erase(found);
}

GroupState state_of(const Group& group) {
  if (group.members().empty()) return GroupState::empty;
  if (group.epoch > group.assignment_epoch) return GroupState::assigning;
  const bool all_there = std::ranges::all_of(group.members(), [&](const auto& member) {
    return member.second.current.is_reconciled_to(group.assignment_epoch);
  });
  return all_there ? GroupState::stable : GroupState::reconciling;
}

std::string_view to_text(GroupState state) {
  switch (state) {
    case GroupState::empty: return "Empty";
    case GroupState::assigning: return "Assigning";
    case GroupState::reconciling: return "Reconciling";
    case GroupState::stable: return "Stable";
  }
  return "Dead";
}

}  // namespace muster::consumer
