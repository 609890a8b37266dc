// UnregisterBroker, UnregisterController, AddRaftVoter, RemoveRaftVoter: the cluster is this node,
// and stays so.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <muster/sdk/text.hpp>

#include <muster/protocol/messages/add_raft_voter_request.hpp>
#include <muster/protocol/messages/add_raft_voter_response.hpp>
#include <muster/protocol/messages/remove_raft_voter_request.hpp>
#include <muster/protocol/messages/remove_raft_voter_response.hpp>
#include <muster/protocol/messages/unregister_broker_request.hpp>
#include <muster/protocol/messages/unregister_broker_response.hpp>
#include <muster/protocol/messages/unregister_controller_request.hpp>
#include <muster/protocol/messages/unregister_controller_response.hpp>

namespace muster::embedded {
namespace {

using protocol::AddRaftVoterRequest;
using protocol::AddRaftVoterResponse;
using protocol::RemoveRaftVoterRequest;
using protocol::RemoveRaftVoterResponse;
using protocol::UnregisterBrokerRequest;
using protocol::UnregisterBrokerResponse;
using protocol::UnregisterControllerRequest;
using protocol::UnregisterControllerResponse;

TopicFault judge(const Core& core, const UnregisterBrokerRequest& body) {
  if (body.broker_id != core.host.node_id()) {
    return {Error::broker_id_not_registered,
            sdk::text("Broker ID ", body.broker_id, " is not currently registered")};
  }
  return {Error::invalid_request, "The only broker of the cluster cannot be unregistered."};
}

TopicFault judge(const Core& core, const UnregisterControllerRequest& body) {
  if (body.controller_id != core.host.node_id()) {
    return {Error::controller_id_not_registered,
            sdk::text("Controller ID ", body.controller_id, " is not currently registered.")};
  }
  return {Error::invalid_request, "Controller cannot unregister itself while it is active."};
}

template <class Request>
TopicFault cluster_fault(const Core& core, const Request& body) {
  const std::string own = core.metadata->cluster_id();
  if (!body.cluster_id || *body.cluster_id == own) return {};
  return {Error::inconsistent_cluster_id,
          sdk::text("The given id \"", *body.cluster_id, "\" doesn't match the cluster id \"", own,
                    "\"")};
}

TopicFault judge(const Core& core, const AddRaftVoterRequest& body) {
  if (auto fault = cluster_fault(core, body); fault.error != Error::none) return fault;
  if (body.voter_id < 0 || body.voter_directory_id == protocol::Uuid{}) {
    return {Error::invalid_request, "Add voter request didn't include a valid voter"};
  }
  return {Error::unsupported_version,
          "Cluster doesn't support adding voter because the kraft.version feature is 0"};
}

TopicFault judge(const Core& core, const RemoveRaftVoterRequest& body) {
  if (auto fault = cluster_fault(core, body); fault.error != Error::none) return fault;
  if (body.voter_id < 0 || body.voter_directory_id == protocol::Uuid{}) {
    return {Error::invalid_request, "Remove voter request didn't include a valid voter"};
  }
  return {Error::unsupported_version,
          "Cluster doesn't support removing voter because the kraft.version feature is 0"};
}

template <class Request, class Response>
void refuse(const Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<Request>(request.body(), request.version());
  if (!body) return answer.close();
  const TopicFault fault =
      core.may_cluster(request, sdk::Operation::alter)
          ? judge(core, *body)
          : TopicFault{Error::cluster_authorization_failed, std::string(cluster_denied)};
  Response response;
  response.error_code = protocol::code(fault.error);
  response.error_message = fault.message;
  reply(request, answer, response);
}

}  // namespace

void handle_unregister_broker(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  refuse<UnregisterBrokerRequest, UnregisterBrokerResponse>(core, request, answer);
}

void handle_unregister_controller(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  refuse<UnregisterControllerRequest, UnregisterControllerResponse>(core, request, answer);
}

void handle_add_raft_voter(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  refuse<AddRaftVoterRequest, AddRaftVoterResponse>(core, request, answer);
}

void handle_remove_raft_voter(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  refuse<RemoveRaftVoterRequest, RemoveRaftVoterResponse>(core, request, answer);
}

}  // namespace muster::embedded
