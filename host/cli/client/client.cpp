#include "cli/client/client.hpp"

#include <muster/protocol/apis.hpp>
#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>

namespace muster::host {
namespace {

using protocol::ApiVersionsRequest;
using protocol::ApiVersionsResponse;
using protocol::Buffer;
using protocol::Bytes;

std::string api_name(std::int16_t api_key) {
  const protocol::ApiInfo* const api = protocol::find_api(api_key);
  return api == nullptr ? "API " + std::to_string(api_key) : std::string(api->name);
}

}  // namespace

Outcome<Client> Client::connect(const Target& target) {
  auto wire = Wire::connect(target);
  if (!wire) return std::unexpected(wire.error());
  Client client(std::move(*wire));
  if (auto learnt = client.learn_versions(); !learnt) return std::unexpected(learnt.error());
  return client;
}

// Who does not know our version of ApiVersions refuses it in the form of version 0. Whatever came
// of that, version 0 is what everybody knows.
Outcome<void> Client::learn_versions() {
  ApiVersionsRequest request;
  request.client_software_name = "muster";
  request.client_software_version = MUSTER_VERSION;
  std::int16_t version = ApiVersionsRequest::max_version;
  for (;;) {
    auto reply = ask_in<ApiVersionsResponse>(request, version);
    if (reply && reply->message.error_code == 0) {
      for (const auto& api : reply->message.api_keys) {
        theirs_[api.api_key] = {api.min_version, api.max_version};
      }
      return {};
    }
    if (!reply && reply.error().code == ExitCode::unreachable) {
      return std::unexpected(reply.error());
    }
    if (version == 0) {
      return std::unexpected(Failure{wire_.target().text() + " does not speak Kafka's protocol",
                                     ExitCode::unreachable});
    }
    version = 0;
  }
}

std::optional<std::int16_t> Client::common_version(std::int16_t api_key, Versions ours) const {
  const auto at = theirs_.find(api_key);
  if (at == theirs_.end()) return std::nullopt;
  const std::int16_t newest = std::min(at->second.second, ours.second);
  if (newest < std::max(at->second.first, ours.first)) return std::nullopt;
  return newest;
}

Failure Client::not_offered(std::int16_t api_key) const {
  return {"the host at " + wire_.target().text() + " does not offer " + api_name(api_key) +
          (theirs_.contains(api_key) ? " in a version that is known here" : "")};
}

Failure Client::unreadable(std::int16_t api_key) const {
  return {"the answer of " + wire_.target().text() + " to " + api_name(api_key) +
          " cannot be read"};
}

Outcome<Buffer> Client::exchange(const protocol::RequestHeader& header, std::int16_t first_flexible,
                                 Bytes body) {
  const std::int16_t key = header.request_api_key;
  const std::int16_t version = header.request_api_version;
  Buffer frame;
  protocol::encode(header, protocol::request_header_version(first_flexible, version), frame);
  frame.insert(frame.end(), body.begin(), body.end());
  auto answer = wire_.exchange(frame);
  if (!answer) return answer;
  protocol::Reader reader(*answer);
  const bool ours = reader.read_int32() == header.correlation_id;
  if (protocol::response_header_version(key, first_flexible, version) == 1) {
    reader.skip_tagged_fields();
  }
  if (!ours || !reader.ok()) return std::unexpected(unreadable(key));
  const Bytes rest = reader.rest();
  return Buffer(rest.begin(), rest.end());
}

}  // namespace muster::host
