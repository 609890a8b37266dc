// DescribeUserScramCredentials, AlterUserScramCredentials: no user has any, and as no listener
// authenticates, no mechanism is known to make some for.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <deque>
#include <map>

#include <muster/sdk/text.hpp>

#include <muster/protocol/messages/alter_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/alter_user_scram_credentials_response.hpp>
#include <muster/protocol/messages/describe_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/describe_user_scram_credentials_response.hpp>

namespace muster::embedded {
namespace {

using protocol::AlterUserScramCredentialsRequest;
using protocol::AlterUserScramCredentialsResponse;
using protocol::DescribeUserScramCredentialsRequest;
using protocol::DescribeUserScramCredentialsResponse;

constexpr std::int8_t first_mechanism = 1;  // SCRAM-SHA-256
constexpr std::int8_t last_mechanism = 2;   // SCRAM-SHA-512

TopicFault user_fault(std::string_view user) {
  if (!user.empty()) return {};
  return {Error::unacceptable_credential, "Username must not be empty"};
}

TopicFault deletion_fault(const AlterUserScramCredentialsRequest::ScramCredentialDeletion& asked) {
  if (asked.mechanism < first_mechanism || asked.mechanism > last_mechanism) {
    return {Error::unsupported_sasl_mechanism, "Unknown SCRAM mechanism"};
  }
  return {Error::resource_not_found, "Attempt to delete a user credential that does not exist"};
}

}  // namespace

void handle_describe_user_scram_credentials(Core& core, const sdk::Request& request,
                                            sdk::Answer& answer) {
  const auto body =
      protocol::decode<DescribeUserScramCredentialsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  DescribeUserScramCredentialsResponse response;
  std::deque<std::string> texts;
  if (!core.may_cluster(request, sdk::Operation::describe)) {
    response.error_code = protocol::code(Error::cluster_authorization_failed);
    response.error_message = cluster_denied;
    return reply(request, answer, response);
  }
  std::map<std::string_view, int> users;
  if (body->users) {
    for (const auto& user : *body->users) ++users[user.name];
  }
  for (const auto& [user, times] : users) {
    const bool once = times == 1;
    auto& result = response.results.emplace_back();
    result.user = user;
    result.error_code =
        protocol::code(once ? Error::resource_not_found : Error::duplicate_resource);
    result.error_message = texts.emplace_back(sdk::text(
        once ? "Attempt to describe a user credential that does not exist: "
             : "Cannot describe SCRAM credentials for the same user twice in a single request: ",
        user));
  }
  reply(request, answer, response);
}

void handle_alter_user_scram_credentials(Core& core, const sdk::Request& request,
                                         sdk::Answer& answer) {
  const auto body =
      protocol::decode<AlterUserScramCredentialsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const bool allowed = core.may_cluster(request, sdk::Operation::alter);
  std::map<std::string_view, TopicFault> users;  // the first fault stands
  const auto add = [&](std::string_view user, TopicFault fault) {
    if (!allowed) fault = {Error::cluster_authorization_failed, std::string(cluster_denied)};
    users.emplace(user, std::move(fault));
  };
  for (const auto& asked : body->deletions) {
    TopicFault fault = user_fault(asked.name);
    add(asked.name, fault.error == Error::none ? deletion_fault(asked) : std::move(fault));
  }
  for (const auto& asked : body->upsertions) {
    TopicFault fault = user_fault(asked.name);
    if (fault.error == Error::none) {
      fault = {Error::unsupported_sasl_mechanism, "SASL is not enabled on this broker"};
    }
    add(asked.name, std::move(fault));
  }
  AlterUserScramCredentialsResponse response;
  for (const auto& [user, fault] : users) {
    response.results.push_back({user, protocol::code(fault.error), fault.message});
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
