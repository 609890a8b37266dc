#include "bodies.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/coordinator_errors.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>

#include "answers.hpp"
#include "heartbeat.hpp"
#include "join.hpp"
#include "leave.hpp"
#include "parse.hpp"
#include "sync.hpp"

namespace muster::classic {
namespace {

using protocol::HeartbeatRequest;
using protocol::JoinGroupRequest;
using protocol::LeaveGroupRequest;
using protocol::SyncGroupRequest;

protocol::Buffer refusal(const sdk::Request& request, const No& no, Error error) {
  const std::int16_t version = request.version();
  const bool checked = protocol::comes_after_checks(error);
  std::optional<protocol::Buffer> earlier;
  switch (request.api_key()) {
    case JoinGroupRequest::api_key: {
      const auto message = parse<JoinGroupRequest>(request);
      if (checked) earlier = check_join(message, request, no.host, no.settings);
      return earlier ? *std::move(earlier) : join_error(error, {}, version);
    }
    case SyncGroupRequest::api_key: {
      const auto message = parse<SyncGroupRequest>(request);
      if (checked) earlier = check_sync(message, request, no.host);
      return earlier ? *std::move(earlier) : sync_error(error, version);
    }
    case HeartbeatRequest::api_key: {
      const auto message = parse<HeartbeatRequest>(request);
      if (checked) earlier = check_heartbeat(message, request, no.host);
      // The member is believed to be one until that is known.
      if (error == Error::coordinator_load_in_progress) error = Error::none;
      return earlier ? *std::move(earlier) : heartbeat_answer(error, version);
    }
    case LeaveGroupRequest::api_key: {
      const auto message = parse<LeaveGroupRequest>(request);
      if (checked) earlier = check_leave(message, request, no.host);
      return earlier ? *std::move(earlier) : leave_error(error, version);
    }
    default:
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that this protocol does not create");
  }
}

template <class Message>
void route_by_group(const sdk::Request& request, sdk::RouteSink& out) {
  out.key(parse<Message>(request).group_id);
}

}  // namespace

void route(const sdk::Request& request, sdk::RouteSink& out) {
  switch (request.api_key()) {
    case JoinGroupRequest::api_key: return route_by_group<JoinGroupRequest>(request, out);
    case SyncGroupRequest::api_key: return route_by_group<SyncGroupRequest>(request, out);
    case HeartbeatRequest::api_key: return route_by_group<HeartbeatRequest>(request, out);
    case LeaveGroupRequest::api_key: return route_by_group<LeaveGroupRequest>(request, out);
    default:
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that this protocol does not create");
  }
}

void refuse(const sdk::Request& request, const No& no, sdk::BytesSink& out) {
  const Error error = protocol::to_coordinator_error(static_cast<Error>(no.kafka_error));
  out.write(sdk::Bytes(refusal(request, no, error)));
}

}  // namespace muster::classic
