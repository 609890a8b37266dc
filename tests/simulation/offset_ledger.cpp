// What was committed and confirmed.
#include "offset_ledger.hpp"

#include <algorithm>

namespace muster::simulation {

std::uint64_t OffsetLedger::order_of(const OffsetKey& key, std::int64_t offset) const {
  for (const auto& [order, known] : history_.at(key)) {
    if (known == offset) return order;
  }
  return 0;
}

void OffsetLedger::confirmed(const OffsetKey& key, std::int64_t offset) {
  std::uint64_t& newest = confirmed_[key];
  newest = std::max(newest, order_of(key, offset));
}

void OffsetLedger::refused(const OffsetKey& key, std::int64_t offset) {
  history_.at(key).erase(order_of(key, offset));
}

std::uint64_t OffsetLedger::floor(const OffsetKey& key) const {
  const auto found = confirmed_.find(key);
  if (found == confirmed_.end()) return 0;
  const auto forgotten = forgotten_.find(key.topic);
  const bool is_old = forgotten != forgotten_.end() && found->second <= forgotten->second;
  return is_old ? 0 : found->second;
}

bool OffsetLedger::allows(const OffsetKey& key, std::uint64_t floor, std::int64_t offset) const {
  const auto forgotten = forgotten_.find(key.topic);
  const bool may_be_gone =
      floor == 0 || (forgotten != forgotten_.end() && forgotten->second >= floor);
  if (offset == -1) return may_be_gone;
  const auto found = history_.find(key);
  if (found == history_.end()) return false;
  return std::ranges::any_of(found->second, [&](const auto& commit) {
    return commit.second == offset && commit.first >= floor;
  });
}

}  // namespace muster::simulation
