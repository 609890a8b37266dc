// Judging an UpdateFeatures request as Kafka's controller does. Owner: host/dispatch. Pure.
#pragma once

#include "config/feature_levels.hpp"
#include "runtime/kafka_error.hpp"

#include <muster/protocol/messages/update_features_request.hpp>

#include <expected>
#include <map>
#include <string>

namespace muster::host {

// Levels that change, by feature; or why nothing does (INVALID_UPDATE_VERSION).
using FeatureUpdates = std::map<std::string, std::int16_t, std::less<>>;

[[nodiscard]] std::expected<FeatureUpdates, std::string> judge_updates(
    const FeatureLevels& levels, const protocol::UpdateFeaturesRequest& request,
    std::int32_t node_id);

}  // namespace muster::host
