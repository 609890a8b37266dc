// A flow of greatest worth, by longest paths over all partitions and members: for clarity, not for
// speed. Tests only.
#include "rack_model.hpp"

#include <algorithm>

namespace muster::assignors {
namespace {

struct Arc {
  std::size_t from, to;
  std::uint32_t room;
  std::int64_t worth;
};

class Flow {
 public:
  explicit Flow(std::size_t nodes) : nodes_(nodes) {}

  // Each arc is followed by the one back.
  void add(std::size_t from, std::size_t to, std::uint32_t room, std::int64_t worth) {
    arcs_.push_back({from, to, room, worth});
    arcs_.push_back({to, from, 0, -worth});
  }
  // Sends one more from node 0 to node 1 if that is worth anything; how much.
  std::int64_t send() {
    constexpr std::int64_t unreached = INT64_MIN;
    std::vector<std::int64_t> worth(nodes_, unreached);
    std::vector<std::size_t> by(nodes_);
    worth[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < arcs_.size(); ++i) {
        const Arc& arc = arcs_[i];
        if (arc.room == 0 || worth[arc.from] == unreached) continue;
        if (worth[arc.from] + arc.worth <= worth[arc.to]) continue;
        worth[arc.to] = worth[arc.from] + arc.worth;
        by[arc.to] = i;
        changed = true;
      }
    }
    if (worth[1] <= 0) return 0;
    for (std::size_t node = 1; node != 0; node = arcs_[by[node]].from) {
      --arcs_[by[node]].room;
      ++arcs_[by[node] ^ 1].room;
    }
    return worth[1];
  }

 private:
  const std::size_t nodes_;
  std::vector<Arc> arcs_;
};

}  // namespace

bool is_in_rack(const Group& group, std::uint32_t partition, std::uint32_t member) {
  const auto& rack = group.members[member].rack;
  return rack && std::ranges::any_of(group.racks.at(partition),
                                     [&](std::uint32_t at) { return rack_name(at) == *rack; });
}

std::uint32_t count_in_rack(const Group& group, const Owners& owners) {
  std::uint32_t count = 0;
  for (std::uint32_t p = 0; p < owners.size(); ++p) {
    count += owners[p] != MUSTER_NONE && is_in_rack(group, p, owners[p]) ? 1 : 0;
  }
  return count;
}

std::int64_t greatest_worth(const Sharing& sharing) {
  const std::size_t items = sharing.worth.size();
  const std::size_t members = sharing.quota.size();
  const std::size_t extra = 2 + items + members;
  Flow flow(extra + 1);
  for (std::size_t i = 0; i < items; ++i) {
    flow.add(0, 2 + i, 1, 0);
    for (std::size_t m = 0; m < members; ++m) {
      if (sharing.worth[i][m] > 0) flow.add(2 + i, 2 + items + m, 1, sharing.worth[i][m]);
    }
  }
  for (std::size_t m = 0; m < members; ++m) {
    flow.add(2 + items + m, 1, sharing.quota[m], 0);
    flow.add(2 + items + m, extra, 1, 0);
  }
  flow.add(extra, 1, sharing.extras, 0);
  std::int64_t total = 0;
  while (const std::int64_t more = flow.send()) total += more;
  return total;
}

}  // namespace muster::assignors
