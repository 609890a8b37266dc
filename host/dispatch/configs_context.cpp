// Lookups and authorisation for one request.
#include "dispatch/configs_context.hpp"

namespace muster::host {
ResourceType resource_type(std::int8_t number) {
  const auto type = static_cast<ResourceType>(number);
  switch (type) {
    case ResourceType::topic:
    case ResourceType::broker:
    case ResourceType::broker_logger:
    case ResourceType::client_metrics:
    case ResourceType::group: return type;
    case ResourceType::unknown: break;
  }
  return ResourceType::unknown;
}

const Overrides& ConfigContext::overrides_of(std::string_view group) const {
  static const Overrides none;
  const auto at = groups.find(group);
  return at == groups.end() ? none : at->second;
}

bool ConfigContext::topic_exists(std::string_view topic) const {
  const muster_metadata_view* metadata = shard->metadata(shard->self);
  return metadata != nullptr && metadata->by_name(metadata->self, to_abi(topic)) != nullptr;
}

ResourceError authorize(const ConfigContext& context, std::int32_t operation, ResourceType type,
                        std::string_view name) {
  const auto allowed = [&](std::int32_t acl, std::string_view resource) {
    return is_allowed(context.authorize, *context.request, {operation, acl, resource});
  };
  switch (type) {
    case ResourceType::group:
      if (allowed(group_acl, name)) return {};
      return {Error::group_authorization_failed, "Group authorization failed."};
    case ResourceType::topic:
      if (allowed(topic_acl, name)) return {};
      return {Error::topic_authorization_failed, "Topic authorization failed."};
    default: break;
  }
  if (allowed(cluster_acl, cluster_name)) return {};
  return {Error::cluster_authorization_failed, "Cluster authorization failed."};
}

}  // namespace muster::host
