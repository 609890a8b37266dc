// From numbers by rack to owners by item. Any thread.
#include <racks/placement.hpp>

#include <algorithm>
#include <numeric>

#include <racks/view_racks.hpp>

namespace muster::racks {

void Placement::find_kinds(const Problem& problem) {
  kind_of_set_.assign(problem.sets.count(), none);
  kind_of_.resize(problem.set_of.size());
  best_.clear();
  for (std::size_t item = 0; item < kind_of_.size(); ++item) {
    std::uint32_t& kind = kind_of_set_[problem.set_of[item]];
    if (kind == none) {
      const std::span<const Weight> weights = problem.sets[problem.set_of[item]];
      kind = flow_.add_kind(weights);
      std::uint32_t best = 0;
      for (const Weight& one : weights) best = std::max(best, one.weight);
      best_.push_back(best);
    }
    kind_of_[item] = kind;
    flow_.add_supply(kind);
  }
}

void Placement::find_held(const Problem& problem) {
  held_edge_.assign(kind_of_.size(), none);
  for (std::size_t item = 0; item < problem.held_by.size(); ++item) {
    const std::uint32_t holder = problem.held_by[item];
    if (holder == nobody) continue;
    ++held_[holder];
    const std::uint32_t kind = kind_of_[item];
    for (std::uint32_t edge = flow_.first_edge(kind); edge < flow_.first_edge(kind + 1); ++edge) {
      if (flow_.edges()[edge].rack != rack_of_[holder]) continue;
      held_edge_[item] = edge;
      near_[holder] += flow_.edges()[edge].weight == best_[kind] ? 1 : 0;
    }
  }
}

void Placement::set_room(const Problem& problem) {
  const std::size_t members = problem.quota.size();
  rack_of_.resize(members);
  for (std::size_t m = 0; m < members; ++m) {
    const bool has_rack = problem.rack_of[m] != no_rack;
    rack_of_[m] = has_rack ? problem.rack_of[m] : problem.rack_count;
    if (!has_rack) continue;
    RackFlow::Rack& rack = flow_.rack(rack_of_[m]);
    rack.room += problem.quota[m];
    rack.extra_room += problem.extras > 0 ? 1 : 0;
  }
  room_.assign(problem.quota.begin(), problem.quota.end());
  has_extra_.assign(members, 0);
  near_.assign(members, 0);
  held_.assign(members, 0);
}

// What is in its best rack already need not be sent there.
void Placement::place_held(const Problem& problem) {
  std::uint32_t extras = problem.extras;
  std::vector<std::uint32_t> keeps(problem.quota.begin(), problem.quota.end());
  for (std::size_t m = 0; m < keeps.size() && extras > 0; ++m) {
    if (near_[m] <= keeps[m]) continue;
    ++keeps[m];
    --extras;
  }
  for (std::size_t item = 0; item < problem.held_by.size(); ++item) {
    const std::uint32_t edge = held_edge_[item];
    if (edge == none || flow_.edges()[edge].weight != best_[kind_of_[item]]) continue;
    std::uint32_t& left = keeps[problem.held_by[item]];
    if (left == 0) continue;
    --left;
    flow_.place(edge, 1);
  }
}

bool Placement::give_extra(std::uint32_t member) {
  if (has_extra_[member] != 0) return false;
  std::uint32_t& due = extras_due_[rack_of_[member]];
  if (due == 0 && extras_free_ == 0) return false;
  --(due > 0 ? due : extras_free_);
  has_extra_[member] = 1;
  ++room_[member];
  return true;
}

// To racks that need them, there and everywhere to those that lose something otherwise, and then
// to the last members, as Kafka does.
void Placement::share_extras(const Problem& problem) {
  extras_due_.assign(problem.rack_count + 1, 0);
  extras_free_ = problem.extras;
  for (std::uint32_t rack = 0; rack < problem.rack_count; ++rack) {
    extras_due_[rack] = flow_.rack(rack).extras();
    extras_free_ -= extras_due_[rack];
  }
  if (problem.extras == 0) return;
  const auto members = static_cast<std::uint32_t>(room_.size());
  for (std::uint32_t m = 0; m < members; ++m) {
    if (near_[m] > problem.quota[m]) give_extra(m);
  }
  for (std::uint32_t m = 0; m < members; ++m) {
    if (held_[m] > problem.quota[m]) give_extra(m);
  }
  for (std::uint32_t m = members; m-- > 0;) give_extra(m);
}

void Placement::order_by_rack() {
  const std::size_t racks = extras_due_.size();
  far_room_.assign(racks, 0);
  next_in_.assign(racks + 1, 0);
  for (std::size_t m = 0; m < room_.size(); ++m) {
    far_room_[rack_of_[m]] += room_[m];
    ++next_in_[rack_of_[m] + 1];
  }
  for (std::uint32_t rack = 0; rack + 1 < racks; ++rack) far_room_[rack] -= flow_.rack(rack).used;
  std::partial_sum(next_in_.begin(), next_in_.end(), next_in_.begin());
  in_rack_.resize(room_.size());
  std::vector<std::uint32_t> place(next_in_.begin(), next_in_.end() - 1);
  for (std::uint32_t m = 0; m < room_.size(); ++m) in_rack_[place[rack_of_[m]]++] = m;
}

void Placement::keep_near(std::span<const std::uint32_t> held_by, std::span<std::uint32_t> owner) {
  for (std::size_t item = 0; item < held_by.size(); ++item) {
    const std::uint32_t edge = held_edge_[item];
    if (edge == none) continue;
    const std::uint32_t holder = held_by[item];
    std::uint32_t& left = flow_.edges()[edge].placed;
    if (left == 0 || room_[holder] == 0) continue;
    --left;
    --room_[holder];
    owner[item] = holder;
  }
}

void Placement::keep_far(std::span<const std::uint32_t> held_by, std::span<std::uint32_t> owner) {
  for (std::size_t item = 0; item < held_by.size(); ++item) {
    const std::uint32_t holder = held_by[item];
    if (owner[item] != nobody || holder == nobody) continue;
    std::uint32_t& left = flow_.unplaced(kind_of_[item]);
    std::uint32_t& far_room = far_room_[rack_of_[holder]];
    if (left == 0 || far_room == 0 || room_[holder] == 0) continue;
    --left;
    --far_room;
    --room_[holder];
    owner[item] = holder;
  }
}

void Placement::fill(std::span<std::uint32_t> owner) {
  std::vector<std::uint32_t> next_edge(flow_.kind_count());
  for (std::uint32_t kind = 0; kind < next_edge.size(); ++kind) {
    next_edge[kind] = flow_.first_edge(kind);
  }
  const std::span<RackFlow::Edge> edges = flow_.edges();
  far_.clear();
  for (std::uint32_t item = 0; item < owner.size(); ++item) {
    if (owner[item] != nobody) continue;
    const std::uint32_t kind = kind_of_[item];
    std::uint32_t& edge = next_edge[kind];
    const std::uint32_t end = flow_.first_edge(kind + 1);
    while (edge < end && edges[edge].placed == 0) ++edge;
    if (edge == end) {
      far_.push_back(item);
      continue;
    }
    --edges[edge].placed;
    std::uint32_t& next = next_in_[edges[edge].rack];
    while (room_[in_rack_[next]] == 0) ++next;
    owner[item] = in_rack_[next];
    --room_[in_rack_[next]];
  }
  std::uint32_t member = 0;
  for (const std::uint32_t item : far_) {
    while (room_[member] == 0) ++member;
    owner[item] = member;
    --room_[member];
  }
}

void Placement::run(const Problem& problem, std::span<std::uint32_t> owner) {
  flow_.start(problem.rack_count);
  find_kinds(problem);
  set_room(problem);
  find_held(problem);
  place_held(problem);
  flow_.run(problem.extras);
  share_extras(problem);
  order_by_rack();
  std::ranges::fill(owner, nobody);
  keep_near(problem.held_by, owner);
  keep_far(problem.held_by, owner);
  fill(owner);
}

}  // namespace muster::racks
