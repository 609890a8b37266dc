// Resources in Kafka's order: groups, then the node as logger and as broker, then topics.
#include "dispatch/configs_list.hpp"

#include <algorithm>

namespace muster::host {
namespace {

using Request = protocol::ListConfigResourcesRequest;
using Response = protocol::ListConfigResourcesResponse;

const std::vector<std::int8_t> types_of_version_0{16};
const std::vector<std::int8_t> types_since_version_1{2, 4, 8, 16, 32};

const std::vector<std::int8_t>& supported(std::int16_t version) {
  return version == 0 ? types_of_version_0 : types_since_version_1;
}

bool asks_for(const Request& request, std::int16_t version, ResourceType type) {
  const auto& types = request.resource_types.empty() ? supported(version) : request.resource_types;
  return std::ranges::find(types, static_cast<std::int8_t>(type)) != types.end();
}

void add(Response& response, std::string_view name, ResourceType type) {
  response.config_resources.push_back({name, static_cast<std::int8_t>(type)});
}

void add_node(ConfigContext& context, Response& response, ResourceType type) {
  add(response, context.keep(std::to_string(context.node_id)), type);
}

void add_topics(ConfigContext& context, Response& response) {
  const muster_metadata_view* metadata = context.shard->metadata(context.shard->self);
  if (metadata == nullptr) return;
  for (std::uint32_t i = 0; i < metadata->topic_count; ++i) {
    const muster_topic* topic = metadata->at(metadata->self, i);
    add(response, context.keep(std::string(from_abi(topic->name))), ResourceType::topic);
  }
}

}  // namespace

bool asks_for_groups(const Request& request, std::int16_t version) {
  return asks_for(request, version, ResourceType::group);
}

Response list_config_resources(ConfigContext& context, const Request& request) {
  Response response;
  const std::int16_t version = context.request->version;
  const ResourceError verdict =
      authorize(context, describe_configs_operation, ResourceType::broker, {});
  response.error_code = code_of(verdict.error);
  if (verdict.error != Error::none) return response;
  for (const std::int8_t type : request.resource_types) {
    if (std::ranges::find(supported(version), type) != supported(version).end()) continue;
    response.error_code = code_of(Error::unsupported_version);
    return response;
  }
  if (asks_for(request, version, ResourceType::group)) {
    for (const auto& [group, overrides] : context.groups) {
      add(response, group, ResourceType::group);
    }
  }
  if (context.shard->shard != 0) return response;
  if (asks_for(request, version, ResourceType::broker_logger)) {
    add_node(context, response, ResourceType::broker_logger);
  }
  if (asks_for(request, version, ResourceType::broker)) {
    add_node(context, response, ResourceType::broker);
  }
  if (asks_for(request, version, ResourceType::topic)) add_topics(context, response);
  return response;
}

}  // namespace muster::host
