// How many of each kind go to each rack, so that their weights sum up to the most there can be.
// Owned by one placement; any thread.
//
// Kinds are sources, racks are sinks of limited room. Kind by kind is sent along the best path that
// there is: into a rack with room, or by moving what is in a full rack on to another. That makes a
// flow of greatest weight, found by successive best paths over the racks alone, so that the number
// of kinds and racks counts and the number of what is placed does not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <racks/weight_sets.hpp>

namespace muster::racks {

class RackFlow {
 public:
  struct Edge {
    std::uint32_t rack;
    std::uint32_t weight;
    std::uint32_t kind;
    std::uint32_t placed;
  };
  struct Rack {
    std::uint32_t room = 0;        // what it can take anyway
    std::uint32_t extra_room = 0;  // what it can take beyond that, of all racks' extras
    std::uint32_t used = 0;

    std::uint32_t extras() const { return used > room ? used - room : 0; }
  };

  // Forgets everything but how long it has run.
  void start(std::uint32_t racks);
  std::uint32_t add_kind(std::span<const Weight> weights);
  void add_supply(std::uint32_t kind) { ++unplaced_[kind]; }
  Rack& rack(std::uint32_t rack) { return racks_[rack]; }
  // What is in its kind's best rack may be placed before run().
  void place(std::uint32_t edge, std::uint32_t count);
  // `extras`: how much all racks together may take of their extra room.
  void run(std::uint32_t extras);

  std::uint32_t kind_count() const { return static_cast<std::uint32_t>(unplaced_.size()); }
  std::span<Edge> edges() { return edges_; }
  // Edges of kind k: first_edge(k) .. first_edge(k + 1).
  std::uint32_t first_edge(std::uint32_t kind) const { return first_edge_[kind]; }
  // How many of the kind are better placed nowhere: any rack that has room will do for them.
  std::uint32_t& unplaced(std::uint32_t kind) { return unplaced_[kind]; }

 private:
  // From one rack on to another: one of a kind leaves by `out` and comes in by `in`. Or, both none,
  // the other rack gives up an extra for this one.
  struct Move {
    std::int64_t gain;
    std::uint32_t out, in;
  };
  struct Arrival {
    std::int64_t gain;
    std::uint32_t from;  // none: it is the first rack of the path
    Move move;
  };
  struct End {
    std::int64_t gain = 0;
    std::uint32_t rack = none;
    std::uint32_t drop = none;  // the edge whose kind leaves for nowhere; none: there is room
  };
  using Moves = std::vector<Move>;  // a heap; those whose edge is empty are passed over

  static constexpr std::uint32_t none = UINT32_MAX;

  std::uint32_t free_room(std::uint32_t rack) const;
  void remember_moves(std::uint32_t edge);
  const Move* best_of(Moves& moves);
  void send(std::uint32_t kind);
  bool send_directly(std::uint32_t kind);
  bool may_gain() const;
  End find_path(std::uint32_t kind);
  void leave(std::uint32_t rack);
  void arrive(std::uint32_t rack, const Arrival& arrival);
  bool can_take_extra(std::uint32_t rack, std::uint32_t from) const;
  End best_end();
  std::uint32_t width(const End& end, std::uint32_t kind) const;
  void shift(const End& end, std::uint32_t kind, std::uint32_t count);
  void fill(std::uint32_t edge, std::uint32_t count);

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_edge_;
  std::vector<std::uint32_t> unplaced_;
  std::vector<Rack> racks_;
  std::uint32_t lightest_ = none, heaviest_ = 0;  // of all weights
  std::uint32_t extras_left_ = 0;
  std::vector<Moves> moves_;  // by rack and next rack
  std::vector<Moves> drops_;  // by rack
  // Of the path that is sought.
  std::vector<Arrival> arrivals_;  // by rack
  std::vector<std::uint32_t> queue_;
  std::vector<char> queued_;
  std::int64_t ceiling_ = 0;
  End found_;
  // A bound of the time that paths are sought over all runs, far above what groups of any likely
  // shape need: some tenths of a second. What was found until then is kept.
  std::uint64_t steps_left_ = 1ULL << 25;
};

}  // namespace muster::racks
