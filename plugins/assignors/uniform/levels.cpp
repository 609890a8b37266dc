// Sorting subscribers by load, and walking them from both ends. Any thread.
#include "levels.hpp"

#include <muster/abi/partition_assignor.h>

#include <algorithm>
#include <utility>

namespace muster::uniform {
namespace {

// Up to here a pass a level beats counting, which waits for its own last write at each member.
constexpr std::size_t few_levels = 4;

}  // namespace

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
  sorted_.resize(subscribers.size());
  std::size_t found = 0;
  for (const std::uint32_t member : subscribers) {
    sorted_[found] = member;
    found += loads_[member] == lowest_ ? 1 : 0;
    if (found == wanted) break;
  }
  sorted_.resize(found);
  // If the lowest level is not enough: even if one member took all, it would not rise above this.
  if (found < wanted) sort(subscribers, lowest_ + std::min(range, wanted - 1));
  place_ends();
}

void Levels::start(std::span<const std::uint32_t> subscribers) {
  sort(subscribers, highest_);
  place_ends();
}

// Those with a load up to `highest`, by load and index.
void Levels::sort(std::span<const std::uint32_t> subscribers, std::uint32_t highest) {
  const std::size_t levels = std::size_t{highest} - lowest_ + 1;
  if (levels <= few_levels) {
    sort_by_passes(subscribers, highest);
  } else if (levels <= 4 * subscribers.size() + 64) {
    sort_by_counting(subscribers, highest);
  } else {
    sort_by_comparing(subscribers, highest);
  }
}

void Levels::sort_by_passes(std::span<const std::uint32_t> subscribers, std::uint32_t highest) {
  sorted_.resize(subscribers.size() + 1);
  std::uint32_t* next = sorted_.data();
  for (std::uint32_t level = lowest_; level <= highest; ++level) {
    for (const std::uint32_t member : subscribers) {
      *next = member;
      next += loads_[member] == level ? 1 : 0;
    }
  }
  sorted_.resize(static_cast<std::size_t>(next - sorted_.data()));
}

void Levels::sort_by_counting(std::span<const std::uint32_t> subscribers, std::uint32_t highest) {
  const std::size_t levels = std::size_t{highest} - lowest_ + 1;
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

void Levels::sort_by_comparing(std::span<const std::uint32_t> subscribers, std::uint32_t highest) {
  sorted_.clear();
  for (const std::uint32_t member : subscribers) {
    if (loads_[member] <= highest) sorted_.push_back(member);
  }
  std::ranges::sort(sorted_, {}, [&](std::uint32_t member) {
    return std::pair(loads_[member], member);
  });
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
