// Successive best paths over racks; rack_flow.hpp says what for. Any thread.
#include <racks/rack_flow.hpp>

#include <algorithm>
#include <limits>

namespace muster::racks {
namespace {

constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::min();

}  // namespace

void RackFlow::start(std::uint32_t racks) {
  edges_.clear();
  first_edge_.assign(1, 0);
  unplaced_.clear();
  lightest_ = none;
  heaviest_ = 0;
  racks_.assign(racks, Rack{});
  moves_.resize(std::size_t{racks} * racks);
  drops_.resize(racks);
  for (Moves& moves : moves_) moves.clear();
  for (Moves& drops : drops_) drops.clear();
}

std::uint32_t RackFlow::add_kind(std::span<const Weight> weights) {
  const std::uint32_t kind = kind_count();
  for (const Weight& one : weights) {
    edges_.push_back({one.rack, one.weight, kind, 0});
    lightest_ = std::min(lightest_, one.weight);
    heaviest_ = std::max(heaviest_, one.weight);
  }
  first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
  unplaced_.push_back(0);
  return kind;
}

void RackFlow::place(std::uint32_t edge, std::uint32_t count) {
  edges_[edge].placed += count;
  racks_[edges_[edge].rack].used += count;
  unplaced_[edges_[edge].kind] -= count;
}

void RackFlow::run(std::uint32_t extras) {
  extras_left_ = extras;
  for (const Rack& rack : racks_) extras_left_ -= rack.extras();
  for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
    if (edges_[edge].placed > 0) remember_moves(edge);
  }
  for (std::uint32_t kind = 0; kind < kind_count(); ++kind) send(kind);
}

std::uint32_t RackFlow::free_room(std::uint32_t rack) const {
  const Rack& at = racks_[rack];
  if (at.used < at.room) return at.room - at.used;
  return std::min(at.extra_room - at.extras(), extras_left_);
}

// What can be moved now that there is something on this edge.
void RackFlow::remember_moves(std::uint32_t edge) {
  const Edge& from = edges_[edge];
  const auto push = [](Moves& moves, const Move& move) {
    moves.push_back(move);
    std::ranges::push_heap(moves, {}, [](const Move& m) { return std::pair(m.gain, ~m.out); });
  };
  const std::int64_t weight = from.weight;
  for (std::uint32_t to = first_edge_[from.kind]; to < first_edge_[from.kind + 1]; ++to) {
    if (to == edge) continue;
    push(moves_[std::size_t{from.rack} * racks_.size() + edges_[to].rack],
         {edges_[to].weight - weight, edge, to});
  }
  push(drops_[from.rack], {-weight, edge, none});
}

const RackFlow::Move* RackFlow::best_of(Moves& moves) {
  while (!moves.empty() && edges_[moves.front().out].placed == 0) {
    std::ranges::pop_heap(moves, {}, [](const Move& m) { return std::pair(m.gain, ~m.out); });
    moves.pop_back();
  }
  return moves.empty() ? nullptr : &moves.front();
}

void RackFlow::send(std::uint32_t kind) {
  while (unplaced_[kind] > 0) {
    if (send_directly(kind)) continue;
    const End end = find_path(kind);
    if (end.gain <= 0) return;
    shift(end, kind, width(end, kind));
  }
}

// No path is better than one straight into the kind's best rack.
bool RackFlow::send_directly(std::uint32_t kind) {
  std::uint32_t best = none;
  std::uint32_t weight = 0;
  for (std::uint32_t edge = first_edge_[kind]; edge < first_edge_[kind + 1]; ++edge) {
    if (edges_[edge].weight < weight) continue;
    const bool is_free = free_room(edges_[edge].rack) > 0;
    if (edges_[edge].weight > weight || best == none) best = is_free ? edge : none;
    weight = edges_[edge].weight;
  }
  if (best == none) return false;
  const std::uint32_t rack = edges_[best].rack;
  const std::uint32_t count = std::min(unplaced_[kind], free_room(rack));
  if (racks_[rack].used >= racks_[rack].room) extras_left_ -= count;
  racks_[rack].used += count;
  unplaced_[kind] -= count;
  fill(best, count);
  return true;
}

// Whether there is anything to find. Where all weights are alike nothing gains but by room.
bool RackFlow::may_gain() const {
  if (lightest_ < heaviest_) return true;
  for (std::uint32_t rack = 0; rack < racks_.size(); ++rack) {
    if (free_room(rack) > 0) return true;
  }
  return false;
}

RackFlow::End RackFlow::find_path(std::uint32_t kind) {
  if (!may_gain()) return {};
  ceiling_ = 0;
  for (std::uint32_t edge = first_edge_[kind]; edge < first_edge_[kind + 1]; ++edge) {
    ceiling_ = std::max(ceiling_, std::int64_t{edges_[edge].weight});
  }
  found_ = {};
  arrivals_.assign(racks_.size(), {unreached, none, {0, none, none}});
  queue_.clear();
  queued_.assign(racks_.size(), 0);
  for (std::uint32_t edge = first_edge_[kind]; edge < first_edge_[kind + 1]; ++edge) {
    const std::int64_t weight = edges_[edge].weight;
    arrive(edges_[edge].rack, {weight, none, {weight, none, edge}});
  }
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    if (steps_left_ < racks_.size()) return {};
    steps_left_ -= racks_.size();
    queued_[queue_[next]] = 0;
    leave(queue_[next]);
    if (found_.rack != none) return found_;
  }
  return best_end();
}

void RackFlow::arrive(std::uint32_t rack, const Arrival& arrival) {
  if (arrival.gain <= arrivals_[rack].gain) return;
  arrivals_[rack] = arrival;
  // One more of a kind cannot be worth more than its best rack.
  if (arrival.gain == ceiling_ && found_.rack == none && free_room(rack) > 0) {
    found_ = {arrival.gain, rack, none};
  }
  if (queued_[rack] != 0) return;
  queued_[rack] = 1;
  queue_.push_back(rack);
}

bool RackFlow::can_take_extra(std::uint32_t rack, std::uint32_t from) const {
  const Rack& to = racks_[rack];
  return to.used >= to.room && to.extras() < to.extra_room && racks_[from].extras() > 0;
}

void RackFlow::leave(std::uint32_t rack) {
  const std::int64_t gain = arrivals_[rack].gain;
  Moves* const from_here = &moves_[std::size_t{rack} * racks_.size()];
  for (std::uint32_t next = 0; next < racks_.size(); ++next) {
    if (next == rack) continue;
    if (const Move* move = best_of(from_here[next])) {
      arrive(next, {gain + move->gain, rack, *move});
    }
    if (can_take_extra(rack, next)) arrive(next, {gain, rack, {0, none, none}});
  }
}

RackFlow::End RackFlow::best_end() {
  End best;
  for (std::uint32_t rack = 0; rack < racks_.size(); ++rack) {
    const std::int64_t gain = arrivals_[rack].gain;
    if (gain == unreached) continue;
    if (gain > best.gain && free_room(rack) > 0) best = {gain, rack, none};
  }
  for (std::uint32_t rack = 0; rack < racks_.size(); ++rack) {
    const std::int64_t gain = arrivals_[rack].gain;
    if (gain == unreached) continue;
    const Move* const drop = best_of(drops_[rack]);
    if (drop != nullptr && gain + drop->gain > best.gain) {
      best = {gain + drop->gain, rack, drop->out};
    }
  }
  return best;
}

// How many can go along the path at once.
std::uint32_t RackFlow::width(const End& end, std::uint32_t kind) const {
  std::uint32_t count = end.drop == none ? free_room(end.rack) : edges_[end.drop].placed;
  count = std::min(count, unplaced_[kind]);
  for (std::uint32_t rack = end.rack; arrivals_[rack].from != none; rack = arrivals_[rack].from) {
    const Arrival& arrival = arrivals_[rack];
    const Rack& from = racks_[arrival.from];
    if (arrival.move.out != none) {
      count = std::min(count, edges_[arrival.move.out].placed);
    } else {
      count = std::min({count, racks_[rack].extras(), from.extra_room - from.extras()});
    }
  }
  return count;
}

void RackFlow::shift(const End& end, std::uint32_t kind, std::uint32_t count) {
  unplaced_[kind] -= count;
  if (end.drop == none) {
    Rack& last = racks_[end.rack];
    if (last.used >= last.room) extras_left_ -= count;
    last.used += count;
  } else {
    edges_[end.drop].placed -= count;
    unplaced_[edges_[end.drop].kind] += count;
  }
  for (std::uint32_t rack = end.rack; rack != none; rack = arrivals_[rack].from) {
    const Arrival& arrival = arrivals_[rack];
    if (arrival.move.out != none) edges_[arrival.move.out].placed -= count;
    if (arrival.move.in != none) {
      fill(arrival.move.in, count);
    } else {
      racks_[rack].used -= count;
      racks_[arrival.from].used += count;
    }
  }
}

void RackFlow::fill(std::uint32_t edge, std::uint32_t count) {
  const bool was_empty = edges_[edge].placed == 0;
  edges_[edge].placed += count;
  if (was_empty) remember_moves(edge);
}

}  // namespace muster::racks
