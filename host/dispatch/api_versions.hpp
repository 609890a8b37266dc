// ApiVersions (key 18, v0-5): what this host serves, in ranges, and its feature levels. [pure]
#pragma once

#include "config/feature_levels.hpp"
#include "dispatch/api_table.hpp"
#include "runtime/answer.hpp"
#include "runtime/kafka_error.hpp"

#include <string>

namespace muster::host {

class ApiVersions {
 public:
  static constexpr muster_api_claim claim{18, 0, 5, 3, MUSTER_SCOPE_BROKER, 0};

  ApiVersions(const FeatureLevels& features, std::string cluster_id, std::int32_t node_id)
      : features_(features), cluster_id_(std::move(cluster_id)), node_id_(node_id) {}

  // Any version: one that is unknown is answered in version 0, as Kafka does.
  void answer(const muster_request& request, const ApiTable& apis, const ReplyTo& to) const;

 private:
  Error check(const muster_request& request, bool& readable) const;

  const FeatureLevels& features_;
  std::string cluster_id_;
  std::int32_t node_id_;
};

}  // namespace muster::host
