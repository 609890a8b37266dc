#include "config/feature_levels.hpp"

#include <algorithm>

namespace muster::host {

FeatureLevels::FeatureLevels(const std::vector<FeatureLevel>& configured) {
  for (const FeatureLevel& feature : configured) {
    Entry& entry = entries_[feature.name];
    entry.min = feature.min;
    entry.max = feature.max;
    entry.configured = feature.level;
    entry.level = feature.level;
  }
}

std::vector<FeatureLevel> FeatureLevels::all() const {
  std::vector<FeatureLevel> out;
  for (const auto& [name, entry] : entries_)
    out.push_back({name, entry.min, entry.max, entry.level});
  return out;
}

std::optional<FeatureLevel> FeatureLevels::find(std::string_view name) const {
  const auto at = entries_.find(name);
  if (at == entries_.end()) return std::nullopt;
  return FeatureLevel{at->first, at->second.min, at->second.max, at->second.level};
}

const std::atomic<std::int16_t>* FeatureLevels::live(std::string_view name) const {
  const auto at = entries_.find(name);
  return at == entries_.end() ? nullptr : &at->second.level;
}

void FeatureLevels::update(std::string_view name, std::int16_t level, std::int64_t epoch) {
  const auto at = entries_.find(name);
  if (at == entries_.end() || level > at->second.max) return;
  at->second.level = level;
  epoch_ = std::max(epoch_.load(), epoch);
}

void FeatureLevels::reset() {
  for (auto& [name, entry] : entries_) entry.level = entry.configured;
}

}  // namespace muster::host
