#include "dispatch/sasl.hpp"

#include "runtime/kafka_error.hpp"

#include <muster/protocol/messages/sasl_authenticate_request.hpp>
#include <muster/protocol/messages/sasl_authenticate_response.hpp>
#include <muster/protocol/messages/sasl_handshake_request.hpp>
#include <muster/protocol/messages/sasl_handshake_response.hpp>

namespace muster::host {
namespace {

template <class Request, class Response>
void refuse(const muster_request& request, const ReplyTo& to, Response response) {
  if (!protocol::decode<Request>(from_abi(request.body), request.version)) {
    to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  response.error_code = code_of(Error::illegal_sasl_state);
  Buffer body;
  protocol::encode(response, request.version, body);
  to.body(body);
}

}  // namespace

void Sasl::answer(const muster_request& request, const ReplyTo& to) {
  if (request.api_key == handshake_claim.key) {
    refuse<protocol::SaslHandshakeRequest>(request, to, protocol::SaslHandshakeResponse());
    return;
  }
  protocol::SaslAuthenticateResponse response;
  response.error_message = "SaslAuthenticate request received after successful authentication";
  refuse<protocol::SaslAuthenticateRequest>(request, to, response);
}

}  // namespace muster::host
