// DescribeAcls, CreateAcls, DeleteAcls: as Kafka where no authorizer is configured.
#include "apis/handlers.hpp"

#include <muster/protocol/messages/create_acls_request.hpp>
#include <muster/protocol/messages/create_acls_response.hpp>
#include <muster/protocol/messages/delete_acls_request.hpp>
#include <muster/protocol/messages/delete_acls_response.hpp>
#include <muster/protocol/messages/describe_acls_request.hpp>
#include <muster/protocol/messages/describe_acls_response.hpp>

namespace muster::embedded {
namespace {

struct AclRefusal {
  Error error;
  std::string_view why;
};

AclRefusal refusal(const Core& core, const sdk::Request& request, sdk::Operation operation,
                   std::string_view disabled) {
  if (core.may_cluster(request, operation)) return {Error::security_disabled, disabled};
  return {Error::cluster_authorization_failed, cluster_denied};
}

constexpr std::string_view no_authorizer = "No Authorizer is configured.";

}  // namespace

void handle_describe_acls(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::DescribeAclsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const AclRefusal refused =
      refusal(core, request, sdk::Operation::describe, "No Authorizer is configured on the broker");
  protocol::DescribeAclsResponse response;
  response.error_code = protocol::code(refused.error);
  response.error_message = refused.why;
  reply(request, answer, response);
}

void handle_create_acls(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::CreateAclsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const AclRefusal refused = refusal(core, request, sdk::Operation::alter, no_authorizer);
  protocol::CreateAclsResponse response;
  for (std::size_t i = 0; i < body->creations.size(); ++i) {
    response.results.push_back({protocol::code(refused.error), refused.why});
  }
  reply(request, answer, response);
}

void handle_delete_acls(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::DeleteAclsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const AclRefusal refused = refusal(core, request, sdk::Operation::alter, no_authorizer);
  protocol::DeleteAclsResponse response;
  for (std::size_t i = 0; i < body->filters.size(); ++i) {
    response.filter_results.push_back({protocol::code(refused.error), refused.why, {}});
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
