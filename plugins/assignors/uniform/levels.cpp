// Sorting subscribers by load, and walking them from both ends. Any thread.
#include "levels.hpp"

#include <muster/abi/partition_assignor.h>

#include <algorithm>
#include <utility>

namespace muster::uniform {

std::uint32_t Levels::spread(std::span<const std::uint32_t> subscribers) {
  std::uint32_t lowest = UINT32_MAX;
  std::uint32_t highest = 0;
  for (const std::uint32_t member : subscribers) {
    lowest = std::min(lowest, loads_[member]);
    highest = std::max(highest, loads_[member]);
  }
  lowest_ = lowest;
  highest_ = highest;
  return highest - lowest;
}

void Levels::start_low(std::span<const std::uint32_t> subscribers, std::uint32_t wanted) {
  const std::uint32_t range = spread(subscribers);
  // While the range is at a level it gives as many as it has members; find the level that suffices.
  const std::uint32_t reach = std::min(range, wanted);
  histogram_.assign(reach + 1, 0);
  for (const std::uint32_t member : subscribers) {
    const std::uint32_t level = loads_[member] - lowest_;
    if (level <= reach) ++histogram_[level];
  }
  std::uint64_t given = 0;
  std::uint64_t in_range = 0;
  std::uint32_t level = 0;
  for (; level < reach; ++level) {
    in_range += histogram_[level];
    given += in_range;
    if (given >= wanted) break;
  }
  sort(subscribers, lowest_ + level);
  place_ends();
}

void Levels::start(std::span<const std::uint32_t> subscribers) {
  histogram_.clear();
  sort(subscribers, highest_);
  place_ends();
}

// Those with a load up to `highest`, by load and index.
void Levels::sort(std::span<const std::uint32_t> subscribers, std::uint32_t highest) {
  sorted_.clear();
  const std::uint64_t levels = std::uint64_t{highest} - lowest_ + 1;
  if (levels == 1) {
    for (const std::uint32_t member : subscribers) {
      if (loads_[member] == highest) sorted_.push_back(member);
    }
    return;
  }
  if (levels > 4 * subscribers.size() + 64) {
    keys_.clear();
    for (const std::uint32_t member : subscribers) {
      if (loads_[member] <= highest) keys_.push_back(std::uint64_t{loads_[member]} << 32 | member);
    }
    std::ranges::sort(keys_);
    for (const std::uint64_t key : keys_) sorted_.push_back(static_cast<std::uint32_t>(key));
    return;
  }
  histogram_.assign(levels + 1, 0);
  for (const std::uint32_t member : subscribers) {
    if (loads_[member] <= highest) ++histogram_[loads_[member] - lowest_ + 1];
  }
  for (std::size_t i = 1; i <= levels; ++i) histogram_[i] += histogram_[i - 1];
  sorted_.resize(histogram_[levels]);
  for (const std::uint32_t member : subscribers) {
    if (loads_[member] <= highest) sorted_[histogram_[loads_[member] - lowest_]++] = member;
  }
}

void Levels::place_ends() {
  const auto size = static_cast<std::int64_t>(sorted_.size());
  low_end_ = 0;
  low_next_ = 0;
  low_load_ = load_at(0) - 1;
  high_start_ = size;
  high_end_ = size;
  high_next_ = size - 1;
  high_load_ = load_at(size - 1) + 1;
}

std::uint32_t Levels::next_low() {
  if (low_next_ >= low_end_) {
    ++low_load_;
    const auto size = static_cast<std::int64_t>(sorted_.size());
    while (low_end_ < size && load_at(low_end_) == low_load_) ++low_end_;
    low_next_ = 0;
  }
  return sorted_[low_next_++];
}

std::uint32_t Levels::next_high() {
  if (high_next_ < high_start_) {
    if (high_end_ <= high_start_ && high_start_ > 0) {
      // All of the range were excluded: go straight to the next level that has members.
      high_load_ = load_at(high_start_ - 1);
    } else {
      --high_load_;
    }
    while (high_start_ > 0 && load_at(high_start_ - 1) == high_load_) --high_start_;
    high_next_ = high_end_ - 1;
  }
  if (high_next_ < 0) return MUSTER_NONE;
  return sorted_[high_next_--];
}

void Levels::exclude_high() {
  std::swap(sorted_[high_next_ + 1], sorted_[high_end_ - 1]);
  --high_end_;
}

}  // namespace muster::uniform
