// Delegation tokens: as Kafka answers on a listener without authentication.
#include "apis/handlers.hpp"

#include <muster/protocol/messages/create_delegation_token_request.hpp>
#include <muster/protocol/messages/create_delegation_token_response.hpp>
#include <muster/protocol/messages/describe_delegation_token_request.hpp>
#include <muster/protocol/messages/describe_delegation_token_response.hpp>
#include <muster/protocol/messages/expire_delegation_token_request.hpp>
#include <muster/protocol/messages/expire_delegation_token_response.hpp>
#include <muster/protocol/messages/renew_delegation_token_request.hpp>
#include <muster/protocol/messages/renew_delegation_token_response.hpp>

namespace muster::embedded {
namespace {

constexpr std::int16_t refused = protocol::code(Error::delegation_token_request_not_allowed);

// For the requests that name one token.
template <class Request, class Response>
void refuse(const sdk::Request& request, sdk::Answer& answer) {
  if (!protocol::decode<Request>(request.body(), request.version())) return answer.close();
  Response response;
  response.error_code = refused;
  response.expiry_timestamp_ms = -1;
  reply(request, answer, response);
}

// "User:alice" as its two halves.
std::pair<std::string_view, std::string_view> split_principal(std::string_view principal) {
  const auto colon = principal.find(':');
  if (colon == std::string_view::npos) return {"User", principal};
  return {principal.substr(0, colon), principal.substr(colon + 1)};
}

}  // namespace

void handle_create_delegation_token(Core&, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::CreateDelegationTokenRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const auto [type, name] = split_principal(request.principal());
  const bool for_another = body->owner_principal_name && !body->owner_principal_name->empty();
  protocol::CreateDelegationTokenResponse response;
  response.error_code = refused;
  response.principal_type = for_another ? body->owner_principal_type.value_or(type) : type;
  response.principal_name = for_another ? *body->owner_principal_name : name;
  response.token_requester_principal_type = type;
  response.token_requester_principal_name = name;
  response.issue_timestamp_ms = -1;
  response.expiry_timestamp_ms = -1;
  response.max_timestamp_ms = -1;
  reply(request, answer, response);
}

void handle_renew_delegation_token(Core&, const sdk::Request& request, sdk::Answer& answer) {
  refuse<protocol::RenewDelegationTokenRequest, protocol::RenewDelegationTokenResponse>(request,
                                                                                        answer);
}

void handle_expire_delegation_token(Core&, const sdk::Request& request, sdk::Answer& answer) {
  refuse<protocol::ExpireDelegationTokenRequest, protocol::ExpireDelegationTokenResponse>(request,
                                                                                          answer);
}

void handle_describe_delegation_token(Core&, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::DescribeDelegationTokenRequest>(request.body(), request.version());
  if (!body) return answer.close();
  protocol::DescribeDelegationTokenResponse response;
  response.error_code = refused;
  reply(request, answer, response);
}

}  // namespace muster::embedded
