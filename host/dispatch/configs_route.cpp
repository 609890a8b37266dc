// Splitting by resource, folding in the request's order, refusing per resource.
#include "dispatch/configs_route.hpp"

#include "dispatch/configs_context.hpp"
#include "dispatch/configs_list.hpp"

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_response.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace muster::host {
namespace {

using protocol::AlterConfigsRequest;
using protocol::AlterConfigsResponse;
using protocol::DescribeConfigsRequest;
using protocol::DescribeConfigsResponse;
using protocol::IncrementalAlterConfigsRequest;
using protocol::IncrementalAlterConfigsResponse;
using protocol::ListConfigResourcesRequest;
using protocol::ListConfigResourcesResponse;
using ResourceKey = std::pair<std::int8_t, std::string_view>;

template <class Message>
void put(const Message& message, std::int16_t version, const muster_bytes_sink& out) {
  protocol::Buffer body;
  protocol::encode(message, version, body);
  out.bytes(out.self, {body.data(), body.size()});
}

template <class Resource>
ResourceKey key_of(const Resource& resource) {
  return {resource.resource_type, resource.resource_name};
}

template <class Resource>
std::string part_key(const Resource& resource) {
  return std::to_string(resource.resource_type) + "/" + std::string(resource.resource_name);
}

template <class Message>
void part(const muster_route_sink& out, std::string_view key, const Message& message,
          std::int16_t version) {
  protocol::Buffer body;
  protocol::encode(message, version, body);
  out.part(out.self, MUSTER_SCOPE_RESOURCE, to_abi(key), {body.data(), body.size()});
}

// As Kafka: one resource of an unknown type and none is described.
muster_code route_describe(const muster_request& request, const muster_route_sink& out) {
  const auto message =
      protocol::decode<DescribeConfigsRequest>(from_abi(request.body), request.version);
  if (!message) return MUSTER_INVALID_ARGUMENT;
  const bool unknown = std::ranges::any_of(message->resources, [](const auto& resource) {
    return resource_type(resource.resource_type) == ResourceType::unknown;
  });
  if (unknown) {
    out.key(out.self, to_abi(no_resource_key));
  } else if (message->resources.size() == 1) {
    out.key(out.self, to_abi(std::string_view(part_key(message->resources.front()))));
  } else {
    DescribeConfigsRequest single = *message;
    for (const auto& resource : message->resources) {
      single.resources = {resource};
      part(out, part_key(resource), single, request.version);
    }
  }
  return MUSTER_OK;
}

template <class Request>
muster_code route_alter(const muster_request& request, const muster_route_sink& out) {
  const auto message = protocol::decode<Request>(from_abi(request.body), request.version);
  if (!message) return MUSTER_INVALID_ARGUMENT;
  if (message->resources.size() == 1) {
    out.key(out.self, to_abi(std::string_view(part_key(message->resources.front()))));
    return MUSTER_OK;
  }
  std::map<ResourceKey, std::vector<typename Request::AlterConfigsResource>> same;
  for (const auto& resource : message->resources) same[key_of(resource)].push_back(resource);
  Request some = *message;
  for (const auto& [key, resources] : same) {
    some.resources = resources;
    const bool duplicates = resources.size() > 1;
    part(out, duplicates ? std::string(no_resource_key) : part_key(resources.front()), some,
         request.version);
  }
  return MUSTER_OK;
}

// By number and not `every_shard`: group configs are there before the coordinator's topic is.
muster_code route_list(const muster_request& request, std::uint32_t shard_count,
                       const muster_route_sink& out) {
  const auto message =
      protocol::decode<ListConfigResourcesRequest>(from_abi(request.body), request.version);
  if (!message) return MUSTER_INVALID_ARGUMENT;
  if (!asks_for_groups(*message, request.version)) {
    out.key(out.self, to_abi(no_resource_key));
    return MUSTER_OK;
  }
  for (std::uint32_t shard = 0; shard < shard_count; ++shard) {
    out.shard(out.self, to_abi(std::string_view("groups")), shard, request.body);
  }
  return MUSTER_OK;
}

// Decoded parts; false if one cannot be read.
template <class Message>
bool decode_all(const muster_bytes* parts, std::uint32_t count, std::int16_t version,
                std::vector<Message>& out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    auto message = protocol::decode<Message>(from_abi(parts[i]), version);
    if (!message) return false;
    out.push_back(std::move(*message));
  }
  return true;
}

// Answers of the parts, in the order in which the request names the resources.
template <class RequestResource, class Answer>
std::vector<Answer> in_request_order(const std::vector<RequestResource>& resources,
                                     const std::map<ResourceKey, const Answer*>& answers) {
  std::vector<Answer> out;
  for (const RequestResource& resource : resources) {
    const auto at = answers.find(key_of(resource));
    if (at != answers.end()) out.push_back(*at->second);
  }
  return out;
}

template <class Request, class Response, auto Answers>
muster_code join_by_resource(const muster_request& request, const muster_bytes* parts,
                             std::uint32_t count, const muster_bytes_sink& out) {
  const auto message = protocol::decode<Request>(from_abi(request.body), request.version);
  std::vector<Response> decoded;
  if (!message || !decode_all(parts, count, request.version, decoded)) {
    return MUSTER_INVALID_ARGUMENT;
  }
  using Answer = typename std::remove_reference_t<decltype(Response().*Answers)>::value_type;
  std::map<ResourceKey, const Answer*> answers;
  for (const Response& response : decoded) {
    for (const Answer& answer : response.*Answers) answers.emplace(key_of(answer), &answer);
  }
  Response whole;
  whole.*Answers = in_request_order(message->resources, answers);
  put(whole, request.version, out);
  return MUSTER_OK;
}

// The first error stands for all, as the answer has room for one.
muster_code join_list(const muster_request& request, const muster_bytes* parts, std::uint32_t count,
                      const muster_bytes_sink& out) {
  std::vector<ListConfigResourcesResponse> decoded;
  if (!decode_all(parts, count, request.version, decoded)) return MUSTER_INVALID_ARGUMENT;
  ListConfigResourcesResponse whole;
  for (const auto& response : decoded) {
    if (response.error_code != 0) {
      put(response, request.version, out);
      return MUSTER_OK;
    }
    const auto& found = response.config_resources;
    whole.config_resources.insert(whole.config_resources.end(), found.begin(), found.end());
  }
  std::ranges::stable_partition(whole.config_resources, [](const auto& resource) {
    return resource_type(resource.resource_type) == ResourceType::group;
  });
  put(whole, request.version, out);
  return MUSTER_OK;
}

std::optional<std::string_view> message_text(muster_str why) {
  if (why.data == nullptr || why.size == 0) return std::nullopt;
  return from_abi(why);
}

template <class Request, class Response, auto Answers>
muster_code refuse_each(const muster_request& request, std::int16_t kafka_error, muster_str why,
                        const muster_bytes_sink& out) {
  const auto message = protocol::decode<Request>(from_abi(request.body), request.version);
  if (!message) return MUSTER_INVALID_ARGUMENT;
  Response response;
  for (const auto& resource : message->resources) {
    auto& answer = (response.*Answers).emplace_back();
    answer.error_code = kafka_error;
    answer.error_message = message_text(why);
    answer.resource_type = resource.resource_type;
    answer.resource_name = resource.resource_name;
  }
  put(response, request.version, out);
  return MUSTER_OK;
}

}  // namespace

muster_code route_configs(const muster_request& request, std::uint32_t shard_count,
                          const muster_route_sink& out) {
  switch (request.api_key) {
    case DescribeConfigsRequest::api_key: return route_describe(request, out);
    case IncrementalAlterConfigsRequest::api_key:
      return route_alter<IncrementalAlterConfigsRequest>(request, out);
    case AlterConfigsRequest::api_key: return route_alter<AlterConfigsRequest>(request, out);
    default: return route_list(request, shard_count, out);
  }
}

muster_code join_configs(const muster_request& request, const muster_bytes* parts,
                         std::uint32_t count, const muster_bytes_sink& out) {
  switch (request.api_key) {
    case DescribeConfigsRequest::api_key:
      return join_by_resource<DescribeConfigsRequest, DescribeConfigsResponse,
                              &DescribeConfigsResponse::results>(request, parts, count, out);
    case IncrementalAlterConfigsRequest::api_key:
      return join_by_resource<IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse,
                              &IncrementalAlterConfigsResponse::responses>(request, parts, count,
                                                                           out);
    case AlterConfigsRequest::api_key:
      return join_by_resource<AlterConfigsRequest, AlterConfigsResponse,
                              &AlterConfigsResponse::responses>(request, parts, count, out);
    default: return join_list(request, parts, count, out);
  }
}

muster_code refuse_configs(const muster_request& request, std::int16_t kafka_error, muster_str why,
                           const muster_bytes_sink& out) {
  switch (request.api_key) {
    case DescribeConfigsRequest::api_key:
      return refuse_each<DescribeConfigsRequest, DescribeConfigsResponse,
                         &DescribeConfigsResponse::results>(request, kafka_error, why, out);
    case IncrementalAlterConfigsRequest::api_key:
      return refuse_each<IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse,
                         &IncrementalAlterConfigsResponse::responses>(request, kafka_error, why,
                                                                      out);
    case AlterConfigsRequest::api_key:
      return refuse_each<AlterConfigsRequest, AlterConfigsResponse,
                         &AlterConfigsResponse::responses>(request, kafka_error, why, out);
    default: break;
  }
  ListConfigResourcesResponse response;
  response.error_code = kafka_error;
  put(response, request.version, out);
  return MUSTER_OK;
}

}  // namespace muster::host
