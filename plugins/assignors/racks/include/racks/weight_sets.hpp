// What it is worth to place something in each rack, as numbered lists without duplicates. One run
// of an assignor owns it; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace muster::racks {

// Worth more than nothing: how many replicas of what is placed are met in that rack.
struct Weight {
  std::uint32_t rack;
  std::uint32_t weight;

  bool operator==(const Weight&) const = default;
};

class WeightSets {
 public:
  WeightSets() : first_{0}, slots_(64, free_slot) {}

  // The number of this list, racks ascending; equal lists have one number.
  std::uint32_t intern(std::span<const Weight> weights);

  std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::span<const Weight> operator[](std::uint32_t set) const {
    return std::span(weights_).subspan(first_[set], first_[set + 1] - first_[set]);
  }

 private:
  static constexpr std::uint32_t free_slot = UINT32_MAX;

  void grow();

  std::vector<std::uint32_t> first_;  // by set, and one behind
  std::vector<Weight> weights_;
  std::vector<std::uint64_t> hashes_;  // by set
  std::vector<std::uint32_t> slots_;   // sets by hash, open addressing; a power of two of them
};

}  // namespace muster::racks
