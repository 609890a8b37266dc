// Routing, joining, refusing. Pure, any thread.
#include "bodies.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/coordinator_errors.hpp>
#include <muster/sdk/failure.hpp>

#include "answer.hpp"
#include "classic_answers.hpp"
#include "classic_join.hpp"
#include "classic_member.hpp"
#include "describe.hpp"
#include "parse.hpp"
#include "validate.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;

void route_description(const sdk::Request& request, sdk::RouteSink& out) {
  const auto message = parse<DescribeRequest>(request);
  if (message.group_ids.size() == 1) return out.key(message.group_ids.front());
  DescribeRequest part;
  part.include_authorized_operations = message.include_authorized_operations;
  protocol::Buffer body;
  for (const std::string_view id : message.group_ids) {
    part.group_ids.assign(1, id);
    body.clear();
    protocol::encode(part, request.version(), body);
    out.part(sdk::Scope::group, id, body);
  }
}

protocol::Buffer refuse_heartbeat(const sdk::Request& request, const No& no, Error error) {
  std::optional<Refusal> refusal;
  if (protocol::comes_after_checks(error)) {
    const auto message = parse<HeartbeatRequest>(request);
    refusal = check_permission(message, request, no.host, no.settings);
    if (!refusal) refusal = check_request(message, request.version(), no.settings);
  }
  protocol::Buffer body;
  encode(refusal.value_or(Refusal{error, std::nullopt}), request.version(), body);
  return body;
}

protocol::Buffer refuse_description_request(const sdk::Request& request, const No& no,
                                            Error error) {
  const auto message = parse<DescribeRequest>(request);
  if (protocol::comes_after_checks(error)) {
    if (!no.settings.enabled()) {
      error = Error::unsupported_version;
    } else if (message.group_ids.size() == 1 && message.group_ids.front().empty()) {
      error = Error::invalid_group_id;
    }
  }
  return refuse_description(message, request.version(), error);
}

template <class Answer>
protocol::Buffer to_body(const Answer& answer, std::int16_t version) {
  protocol::Buffer body;
  encode(answer, version, body);
  return body;
}

// Only where no classic protocol is loaded: else that one routes and refuses.
protocol::Buffer refuse_classic(const sdk::Request& request, Error error) {
  const std::int16_t version = request.version();
  switch (request.api_key()) {
    case JoinRequest::api_key: return to_body(JoinRefusal{error, {}}, version);
    case SyncRequest::api_key: return to_body(SyncRefusal{error}, version);
    case LeaveRequest::api_key: return to_body(LeaveRefusal{error}, version);
    default: break;
  }
  // As in Kafka: a member is not to rejoin because its coordinator loads.
  const bool loads = error == Error::coordinator_load_in_progress;
  return to_body(BeatAnswer{loads ? Error::none : error}, version);
}

}  // namespace

void route(const sdk::Request& request, sdk::RouteSink& out) {
  switch (request.api_key()) {
    case DescribeRequest::api_key: return route_description(request, out);
    case JoinRequest::api_key: return out.key(parse<JoinRequest>(request).group_id);
    case SyncRequest::api_key: return out.key(parse<SyncRequest>(request).group_id);
    case BeatRequest::api_key: return out.key(parse<BeatRequest>(request).group_id);
    case LeaveRequest::api_key: return out.key(parse<LeaveRequest>(request).group_id);
    default: return out.key(parse<HeartbeatRequest>(request).group_id);
  }
}

void join(const sdk::Request& request, sdk::Parts parts, sdk::BytesSink& out) {
  DescribeResponse joined;
  for (const sdk::Bytes part : parts) {
    auto response = protocol::decode<DescribeResponse>(protocol::Bytes(part), request.version());
    if (!response) throw sdk::Failure(MUSTER_CORRUPT, std::string(response.error().what));
    for (auto& group : response->groups) joined.groups.push_back(std::move(group));
  }
  protocol::Buffer body;
  protocol::encode(joined, request.version(), body);
  out.write(sdk::Bytes(body));
}

void refuse(const sdk::Request& request, const No& no, sdk::BytesSink& out) {
  const Error error = protocol::to_coordinator_error(static_cast<Error>(no.kafka_error));
  switch (request.api_key()) {
    case DescribeRequest::api_key:
      return out.write(sdk::Bytes(refuse_description_request(request, no, error)));
    case HeartbeatRequest::api_key:
      return out.write(sdk::Bytes(refuse_heartbeat(request, no, error)));
    default: return out.write(sdk::Bytes(refuse_classic(request, error)));
  }
}

}  // namespace muster::consumer
