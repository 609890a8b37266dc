// DescribeCluster.
#include "apis/handlers.hpp"

#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_cluster_response.hpp>
#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

using protocol::DescribeClusterRequest;
using protocol::DescribeClusterResponse;

constexpr std::int8_t brokers = 1;
constexpr std::int8_t controllers = 2;

}  // namespace

void handle_describe_cluster(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DescribeClusterRequest>(request.body(), request.version());
  if (!body) return answer.close();
  DescribeClusterResponse response;
  if (body->endpoint_type == controllers) {
    response.error_code = protocol::code(Error::mismatched_endpoint_type);
    response.error_message =
        "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type "
        "CONTROLLER";
    return reply(request, answer, response);
  }
  if (body->endpoint_type != brokers) {
    const std::string message = sdk::text("Unsupported endpoint type ", body->endpoint_type);
    response.error_code = protocol::code(Error::unsupported_endpoint_type);
    response.error_message = message;
    return reply(request, answer, response);
  }
  const std::string cluster_id = core.metadata->cluster_id();
  const sdk::Endpoint endpoint = core.host.advertised(request.listener());
  response.cluster_id = cluster_id;
  response.controller_id = core.host.node_id();
  auto& broker = response.brokers.emplace_back();
  broker.broker_id = response.controller_id;
  broker.host = endpoint.host;
  broker.port = endpoint.port;
  if (!core.settings.rack.empty()) broker.rack = core.settings.rack;
  if (body->include_cluster_authorized_operations) {
    const bool visible = core.allowed(request, sdk::Operation::describe, sdk::Resource::cluster,
                                      Core::cluster_name);
    response.cluster_authorized_operations = visible ? core.cluster_operations(request) : 0;
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
