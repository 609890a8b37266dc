// Which protocol owns a group id, in one shard. Not stored: own/disown in replay rebuild it. One
// shard's.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace muster::host {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

class GroupDirectory {
 public:
  static constexpr int nobody = -1;
  static constexpr int unknown = -2;  // records of a type that no loaded plugin claims

  int find(std::string_view group) const {
    const auto found = owners_.find(group);
    return found == owners_.end() ? nobody : found->second;
  }
  // False: another protocol owns it.
  bool own(std::string_view group, int protocol);
  void disown(std::string_view group, int protocol);
  // Every id with its owner, ascending by id.
  std::vector<std::pair<std::string_view, int>> sorted() const;
  std::size_t size() const { return owners_.size(); }

 private:
  std::unordered_map<std::string, int, TextHash, std::equal_to<>> owners_;
};

}  // namespace muster::host
