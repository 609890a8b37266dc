#include "roster.hpp"

#include <utility>
#include <vector>

namespace muster::classic {

void apply(Change change, Member& member) {
  switch (change) {
    case Change::joins_answered:
      member.join.reset();
      member.is_new = false;
      member.sync_pending = true;
      return;
    case Change::syncs_answered: member.sync.reset(); return;
    case Change::syncs_broken_off:
      member.sync.reset();
      member.sync_pending = false;
      member.assignment.reset();
      return;
    case Change::syncs_forgotten: member.sync_pending = false; return;
    case Change::released:
      member.join.reset();
      member.sync.reset();
      return;
  }
}

void Tally::count(const Member& member, std::ptrdiff_t by) {
  members_ += by;
  if (member.join) joins_ += by;
  if (member.sync_pending) syncs_ += by;
  for (const Protocol& protocol : *member.protocols) {
    auto found = supporters_.find(protocol.name);
    if (found == supporters_.end()) found = supporters_.emplace(protocol.name, 0).first;
    found->second += by;
    if (found->second == 0) supporters_.erase(found);
  }
}

void Tally::apply(Change change) {
  switch (change) {
    case Change::joins_answered:
      joins_ = 0;
      syncs_ = members_;
      return;
    case Change::syncs_broken_off:
    case Change::syncs_forgotten: syncs_ = 0; return;
    case Change::released: joins_ = 0; return;
    case Change::syncs_answered: return;
  }
}

const Member* Roster::find(std::string_view id) const {
  const auto found = members_.find(id);
  return found == members_.end() ? nullptr : &found->second;
}

const Member* Roster::find_static(std::string_view instance_id) const {
  const auto found = static_members_.find(instance_id);
  return found == static_members_.end() ? nullptr : find(found->second);
}

void Roster::put(Member member) {
  const auto found = members_.find(member.id);
  if (found == members_.end()) {
    tally_.add(member);
    if (member.instance_id) static_members_[*member.instance_id] = member.id;
    std::string id = member.id;
    members_.emplace(std::move(id), std::move(member));
    return;
  }
  forget(found->second);
  tally_.add(member);
  if (member.instance_id) static_members_[*member.instance_id] = member.id;
  found->second = std::move(member);
}

void Roster::erase(std::string_view id) {
  const auto found = members_.find(id);
  if (found == members_.end()) return;
  forget(found->second);
  members_.erase(found);
}

void Roster::forget(const Member& member) {
  tally_.subtract(member);
  if (!member.instance_id) return;
  // Another member may have taken the instance over.
  const auto holder = static_members_.find(*member.instance_id);
  if (holder != static_members_.end() && holder->second == member.id) {
    static_members_.erase(holder);
  }
}

void Roster::change_all(Change change) {
  for (auto& [id, member] : members_) apply(change, member);
  tally_.apply(change);
}

Member RosterDraft::with_changes(Member member) const {
  for (const Change change : changed_all_) apply(change, member);
  return member;
}

const Member* RosterDraft::find(std::string_view id) const {
  const auto changed = changes_.find(id);
  if (changed != changes_.end()) return changed->second ? &*changed->second : nullptr;
  const Member* member = base_.find(id);
  if (member == nullptr || changed_all_.empty()) return member;
  return &*changes_.emplace(member->id, with_changes(*member)).first->second;
}

const Member* RosterDraft::find_static(std::string_view instance_id) const {
  for (const auto& [id, member] : changes_) {
    if (member && member->instance_id == instance_id) return &*member;
  }
  const Member* member = base_.find_static(instance_id);
  return member == nullptr || changes_.contains(member->id) ? nullptr : find(member->id);
}

void RosterDraft::put(Member member) {
  if (const Member* before = find(member.id)) tally_.subtract(*before);
  tally_.add(member);
  std::string id = member.id;
  changes_.insert_or_assign(std::move(id), std::move(member));
}

void RosterDraft::erase(std::string_view id) {
  const Member* before = find(id);
  if (before == nullptr) return;
  tally_.subtract(*before);
  changes_.insert_or_assign(std::string(id), std::nullopt);
}

void RosterDraft::change_all(Change change) {
  for (auto& [id, member] : changes_) {
    if (member) apply(change, *member);
  }
  changed_all_.push_back(change);
  tally_.apply(change);
}

}  // namespace muster::classic
