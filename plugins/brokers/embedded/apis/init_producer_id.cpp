// InitProducerId: ids for idempotent producers. There are no transactions here, and a producer that
// wants one is told at once instead of being left to look for a coordinator.
#include "apis/handlers.hpp"

#include <algorithm>

#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/init_producer_id_response.hpp>

namespace muster::embedded {
namespace {

using protocol::InitProducerIdRequest;
using protocol::InitProducerIdResponse;

// Who may write anything may write it idempotently.
bool authorised(const Core& core, const sdk::Request& request) {
  if (core.allowed(request, sdk::Operation::idempotent_write, sdk::Resource::cluster,
                   Core::cluster_name)) {
    return true;
  }
  const Topics topics = core.topics.current();
  return std::ranges::any_of(topics->all(), [&](const TopicPtr& topic) {
    return core.may(request, sdk::Operation::write, topic->name);
  });
}

InitProducerIdResponse refused(Error error) {
  InitProducerIdResponse response;
  response.error_code = protocol::code(error);
  response.producer_epoch = -1;
  return response;
}

InitProducerIdResponse decide(Core& core, const sdk::Request& request,
                              const InitProducerIdRequest& body) {
  if (body.transactional_id) {
    if (!core.allowed(request, sdk::Operation::write, sdk::Resource::transactional_id,
                      *body.transactional_id)) {
      return refused(Error::transactional_id_authorization_failed);
    }
  } else if (!authorised(core, request)) {
    return refused(Error::cluster_authorization_failed);
  }
  if ((body.producer_id == -1) != (body.producer_epoch == -1)) {
    return refused(Error::invalid_request);
  }
  if (body.transactional_id) {
    return refused(body.transactional_id->empty() ? Error::invalid_request
                                                  : Error::unsupported_version);
  }
  const auto id = core.producer_ids.next();
  if (!id) {
    core.report("no producer id could be reserved: ", id.error());
    return refused(Error::unknown_server_error);
  }
  InitProducerIdResponse response;
  response.producer_id = *id;
  response.producer_epoch = 0;
  return response;
}

}  // namespace

void handle_init_producer_id(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<InitProducerIdRequest>(request.body(), request.version());
  if (!body) return answer.close();
  reply(request, answer, decide(core, request, *body));
}

}  // namespace muster::embedded
