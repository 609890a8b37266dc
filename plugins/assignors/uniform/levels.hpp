// The subscribers of one topic by load, taken from both ends, a level at a time. Reads the loads
// while its caller changes them; one per run, started anew for each topic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace muster::uniform {

// Members of equal load form a level. The low end fills level by level: each member of the range
// [0, low_end) gets one, then the range rises by one and takes in those that are now level with it.
// The high end does the same downwards. The order is Kafka's: load, then member index.
class Levels {
 public:
  explicit Levels(std::span<const std::uint32_t> loads) : loads_(loads) {}

  // The difference between the highest and the lowest load.
  std::uint32_t spread(std::span<const std::uint32_t> subscribers);

  // For `wanted` calls of next_low(), at least one; subscribers out of reach are left out.
  void start_low(std::span<const std::uint32_t> subscribers, std::uint32_t wanted);
  // For both ends. spread() of the same subscribers and loads must have been called before.
  void start(std::span<const std::uint32_t> subscribers);

  std::uint32_t next_low();
  // MUSTER_NONE: nobody is left.
  std::uint32_t next_high();
  // The member that next_high() gave last has nothing to give; it is no longer in the range.
  void exclude_high();
  bool balanced() const { return high_load_ - low_load_ <= 1; }

 private:
  void sort(std::span<const std::uint32_t> subscribers, std::uint32_t highest);
  void sort_by_passes(std::span<const std::uint32_t> subscribers, std::uint32_t highest);
  void sort_by_counting(std::span<const std::uint32_t> subscribers, std::uint32_t highest);
  void sort_by_comparing(std::span<const std::uint32_t> subscribers, std::uint32_t highest);
  void place_ends();
  std::int64_t load_at(std::int64_t place) const { return loads_[sorted_[place]]; }

  const std::span<const std::uint32_t> loads_;
  std::uint32_t lowest_ = 0;
  std::uint32_t highest_ = 0;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint32_t> histogram_;

  // Signed, as the high end may run below place 0 and the low end starts one below the least load.
  std::int64_t low_end_ = 0, low_next_ = 0, low_load_ = 0;
  std::int64_t high_start_ = 0, high_end_ = 0, high_next_ = 0, high_load_ = 0;
};

}  // namespace muster::uniform
