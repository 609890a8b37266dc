#include "runtime/group_directory.hpp"

#include <algorithm>

namespace muster::host {

bool GroupDirectory::own(std::string_view group, int protocol) {
  const auto found = owners_.find(group);
  if (found == owners_.end()) {
    owners_.emplace(group, protocol);
    return true;
  }
  return found->second == protocol;
}

void GroupDirectory::disown(std::string_view group, int protocol) {
  const auto found = owners_.find(group);
  if (found != owners_.end() && found->second == protocol) owners_.erase(found);
}

std::vector<std::pair<std::string_view, int>> GroupDirectory::sorted() const {
  std::vector<std::pair<std::string_view, int>> all(owners_.begin(), owners_.end());
  std::ranges::sort(all);
  return all;
}

}  // namespace muster::host
