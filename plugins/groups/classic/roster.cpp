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

const Member* Roster::find(std::string_view id) const {
  const auto found = members_.find(id);
  return found == members_.end() ? nullptr : &found->second;
}

const Member* Roster::find_static(std::string_view instance_id) const {
  const auto found = static_members_.find(instance_id);
  return found == static_members_.end() ? nullptr : find(found->second);
}

void Roster::put(Member member) {
  erase(member.id);
  tally_.add(member);
  if (member.instance_id) static_members_[*member.instance_id] = member.id;
  std::string id = member.id;
  members_.emplace(std::move(id), std::move(member));
}

void Roster::erase(std::string_view id) {
  const auto found = members_.find(id);
  if (found == members_.end()) return;
  tally_.subtract(found->second);
  if (const auto& instance = found->second.instance_id) {
    // Another member may have taken the instance over.
    const auto holder = static_members_.find(*instance);
    if (holder != static_members_.end() && holder->second == id) static_members_.erase(holder);
  }
  members_.erase(found);
}

void Roster::change_all(Change change) {
  for (auto& [id, member] : members_) {
    tally_.subtract(member);
    apply(change, member);
    tally_.add(member);
  }
}

const Member* RosterDraft::find(std::string_view id) const {
  const auto changed = changes_.find(id);
  if (changed == changes_.end()) return base_.find(id);
  return changed->second ? &*changed->second : nullptr;
}

const Member* RosterDraft::find_static(std::string_view instance_id) const {
  for (const auto& [id, member] : changes_) {
    if (member && member->instance_id == instance_id) return &*member;
  }
  const Member* member = base_.find_static(instance_id);
  return member == nullptr || changes_.contains(member->id) ? nullptr : member;
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
  std::vector<Member> all;
  all.reserve(tally_.members());
  each([&](const Member& member) { all.push_back(member); });
  for (Member& member : all) {
    apply(change, member);
    put(std::move(member));
  }
}

}  // namespace muster::classic
