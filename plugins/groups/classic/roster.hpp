// The members of a group and what is counted of them; and an overlay of it, on which a decision
// works out what will have changed. Owner: the group, or one draft. [shard]
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "member.hpp"

namespace muster::classic {

// Numbers that follow from the members.
class Tally {
 public:
  void add(const Member& member) { count(member, 1); }
  void subtract(const Member& member) { count(member, -1); }
  // What a change of all members makes of the numbers.
  void apply(Change change);

  [[nodiscard]] std::size_t members() const { return static_cast<std::size_t>(members_); }
  [[nodiscard]] std::size_t waiting_joins() const { return static_cast<std::size_t>(joins_); }
  [[nodiscard]] std::size_t pending_syncs() const { return static_cast<std::size_t>(syncs_); }
  [[nodiscard]] bool all_support(std::string_view protocol) const {
    const auto found = supporters_.find(protocol);
    return (found == supporters_.end() ? 0 : found->second) == members_;
  }

 private:
  void count(const Member& member, std::ptrdiff_t by);

  std::ptrdiff_t members_ = 0;
  std::ptrdiff_t joins_ = 0;
  std::ptrdiff_t syncs_ = 0;
  std::map<std::string, std::ptrdiff_t, std::less<>> supporters_;
};

class Roster {
 public:
  using Members = std::map<std::string, Member, std::less<>>;

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] const Member* find(std::string_view id) const;
  // The member that has this instance id.
  [[nodiscard]] const Member* find_static(std::string_view instance_id) const;

  // What only replay calls.
  void put(Member member);
  void erase(std::string_view id);
  void change_all(Change change);

 private:
  void forget(const Member& member);

  Members members_;
  std::map<std::string, std::string, std::less<>> static_members_;  // instance id -> member id
  Tally tally_;
};

class RosterDraft {
 public:
  explicit RosterDraft(const Roster& base) : base_(base), tally_(base.tally()) {}

  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] bool empty() const { return tally_.members() == 0; }
  // Good until the member is put, erased or changed.
  [[nodiscard]] const Member* find(std::string_view id) const;
  [[nodiscard]] const Member* find_static(std::string_view instance_id) const;

  void put(Member member);
  void erase(std::string_view id);
  void change_all(Change change);

  // visit(const Member&) in member-id order; good as long as what find returns.
  template <class Visit>
  void each(Visit&& visit) const {
    auto changed = changes_.begin();
    for (const auto& [id, member] : base_.members()) {
      for (; changed != changes_.end() && changed->first < id; ++changed) {
        if (changed->second) visit(*changed->second);
      }
      if (changed == changes_.end() || changed->first != id) {
        visit(changed_all_.empty() ? member : *find(id));
      } else {
        if (changed->second) visit(*changed->second);
        ++changed;
      }
    }
    for (; changed != changes_.end(); ++changed) {
      if (changed->second) visit(*changed->second);
    }
  }

 private:
  [[nodiscard]] Member with_changes(Member member) const;

  const Roster& base_;
  // Nothing: gone. Also copies of members that were asked for after a change of all.
  mutable std::map<std::string, std::optional<Member>, std::less<>> changes_;
  std::vector<Change> changed_all_;  // of members that are in `base_` only
  Tally tally_;
};

}  // namespace muster::classic
