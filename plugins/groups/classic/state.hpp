// All that one shard remembers, and the only code that changes it. Owner: the shard; [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "group.hpp"

namespace muster::classic {

// A request of a group that another protocol has taken over.
struct Stranded {
  bool is_join = false;
  Waiting waiting;
  std::string member_id;
};

class State {
 public:
  using Groups = std::map<std::string, std::unique_ptr<Group>, std::less<>>;
  using HandedOver = std::map<std::string, std::vector<Stranded>, std::less<>>;

  [[nodiscard]] const Groups& groups() const { return groups_; }
  [[nodiscard]] const HandedOver& handed_over() const { return handed_over_; }
  // NULL: not one of ours.
  [[nodiscard]] const Group* find(std::string_view group) const;
  // What a group is before its first record.
  [[nodiscard]] const Group& not_yet() const { return not_yet_; }

  // Throws Failure(MUSTER_CORRUPT) for what is not ours or cannot be.
  void replay(const sdk::Replayed& replayed, sdk::Directory& directory);

 private:
  void replay_record(const sdk::Replayed& replayed, sdk::Directory& directory);
  void replay_note(const sdk::Replayed& replayed);
  void remove(std::string_view group, sdk::Directory& directory);

  Groups groups_;
  HandedOver handed_over_;
  Group not_yet_;
};

}  // namespace muster::classic
