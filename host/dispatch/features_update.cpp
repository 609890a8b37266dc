#include "dispatch/features_update.hpp"

#include <set>

namespace muster::host {
namespace {

// Kafka's FeatureUpdate.UpgradeType.
constexpr std::int8_t upgrade = 1;
constexpr std::int8_t unsafe_downgrade = 3;

std::string unsupported(const FeatureLevels& levels, std::string_view name, std::int16_t level,
                        std::int32_t node_id) {
  const std::string who = "Local controller " + std::to_string(node_id);
  const auto known = levels.find(name);
  if (!known || known->max == 0) {
    // A feature that nobody knows is one at level 0 alone.
    return level == 0 ? "" : who + " does not support this feature.";
  }
  if (level >= known->min && level <= known->max) return {};
  return who + " only supports versions " + std::to_string(known->min) + "-" +
         std::to_string(known->max);
}

std::string complaint(const FeatureLevels& levels,
                      const protocol::UpdateFeaturesRequest::FeatureUpdateKey& update,
                      std::int32_t node_id) {
  const std::int16_t level = update.max_version_level;
  if (update.upgrade_type < upgrade || update.upgrade_type > unsafe_downgrade) {
    return "The controller does not support the given upgrade type.";
  }
  if (level < 0) return "A feature version cannot be less than 0.";
  if (auto why = unsupported(levels, update.feature, level, node_id); !why.empty()) return why;
  const auto known = levels.find(update.feature);
  const std::int16_t current = known ? known->level : std::int16_t{0};
  if (level < current && update.upgrade_type == upgrade) {
    return "Can't downgrade the version of this feature without setting the upgrade type to either "
           "safe or unsafe downgrade.";
  }
  if (level > current && update.upgrade_type != upgrade) {
    return "Can't downgrade to a newer version.";
  }
  if (level < current && update.feature == metadata_version) {
    return "Refusing to perform the requested downgrade because it might delete metadata "
           "information.";
  }
  return {};
}

}  // namespace

std::expected<FeatureUpdates, std::string> judge_updates(
    const FeatureLevels& levels, const protocol::UpdateFeaturesRequest& request,
    std::int32_t node_id) {
  FeatureUpdates changed;
  std::set<std::string_view> seen;
  for (const auto& update : request.feature_updates) {
    // Of several for one feature Kafka reads the first.
    if (!seen.insert(update.feature).second) continue;
    if (const std::string why = complaint(levels, update, node_id); !why.empty()) {
      return std::unexpected("Invalid update version " + std::to_string(update.max_version_level) +
                             " for feature " + std::string(update.feature) + ". " + why);
    }
    const auto known = levels.find(update.feature);
    if (known && known->level != update.max_version_level) {
      changed.emplace(update.feature, update.max_version_level);
    }
  }
  return changed;
}

}  // namespace muster::host
