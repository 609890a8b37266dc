// Who gets what when racks count: as many as can be go to a member in one of their racks, and of
// what can stay where it is most stays. One run of an assignor owns it; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <racks/rack_flow.hpp>
#include <racks/weight_sets.hpp>

namespace muster::racks {

inline constexpr std::uint32_t nobody = UINT32_MAX;

// Items are partitions, or all partitions of one number of topics that stay together. Members are
// numbered by their place here.
struct Problem {
  const WeightSets& sets;
  std::uint32_t rack_count;
  std::span<const std::uint32_t> set_of;   // by item: what it is worth where
  std::span<const std::uint32_t> held_by;  // by item: who has it, or nobody; empty: all nobody's
  std::span<const std::uint32_t> rack_of;  // by member, or no_rack
  std::span<const std::uint32_t> quota;    // by member: how many items it gets
  std::uint32_t extras = 0;                // so many members get one more; all of it is all items
};

class Placement {
 public:
  // Fills owner[item] for all items.
  void run(const Problem& problem, std::span<std::uint32_t> owner);

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::uint32_t rack_at(std::uint32_t member) const;
  void find_kinds(const Problem& problem);
  void find_held(const Problem& problem);
  void set_room(const Problem& problem);
  void place_held(const Problem& problem);
  void share_extras(const Problem& problem);
  bool give_extra(std::uint32_t member);
  void order_by_rack();
  void keep_near(std::span<const std::uint32_t> held_by, std::span<std::uint32_t> owner);
  void keep_far(std::span<const std::uint32_t> held_by, std::span<std::uint32_t> owner);
  void fill(std::span<std::uint32_t> owner);

  RackFlow flow_;
  std::vector<std::uint32_t> kind_of_set_;
  std::vector<std::uint32_t> kind_of_;      // by item
  std::vector<std::uint32_t> best_;         // by kind: its largest weight
  std::vector<std::uint32_t> held_edge_;    // by item: the edge from its kind to its holder's rack
  std::vector<std::uint32_t> near_, held_;  // by member: items it holds, near: in a best rack
  std::vector<std::uint32_t> rack_of_;      // by member; those without a rack share one behind all
  std::vector<std::uint32_t> room_;         // by member: what it can still take
  std::vector<char> has_extra_;             // by member
  std::vector<std::uint32_t> extras_due_;   // by rack: extras that the flow counts on
  std::uint32_t extras_free_ = 0;
  std::vector<std::uint32_t> far_room_;  // by rack: for what is nowhere better
  std::vector<std::uint32_t> in_rack_;   // members by rack
  std::vector<std::uint32_t> next_in_;   // by rack: the place in in_rack_ of who is next
  std::vector<std::uint32_t> far_;       // items for anybody
};

}  // namespace muster::racks
