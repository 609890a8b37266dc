// The hash table behind WeightSets. Any thread.
#include <racks/weight_sets.hpp>

#include <algorithm>

namespace muster::racks {
namespace {

std::uint64_t hash_of(std::span<const Weight> weights) {
  std::uint64_t hash = weights.size();
  for (const Weight& one : weights) {
    hash ^= std::uint64_t{one.rack} << 32 | one.weight;
    hash *= 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

std::uint32_t WeightSets::intern(std::span<const Weight> weights) {
  const std::uint64_t hash = hash_of(weights);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != free_slot; slot = (slot + 1) & mask) {
    const std::uint32_t set = slots_[slot];
    if (hashes_[set] == hash && std::ranges::equal((*this)[set], weights)) return set;
  }
  const std::uint32_t set = count();
  slots_[slot] = set;
  hashes_.push_back(hash);
  weights_.insert(weights_.end(), weights.begin(), weights.end());
  first_.push_back(static_cast<std::uint32_t>(weights_.size()));
  if (std::size_t{count()} * 2 > slots_.size()) grow();
  return set;
}

void WeightSets::grow() {
  slots_.assign(slots_.size() * 2, free_slot);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t set = 0; set < count(); ++set) {
    std::size_t slot = hashes_[set] & mask;
    while (slots_[slot] != free_slot) slot = (slot + 1) & mask;
    slots_[slot] = set;
  }
}

}  // namespace muster::racks
