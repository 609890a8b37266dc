#include "dispatch/api_versions.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>

#include <algorithm>
#include <cctype>

namespace muster::host {
namespace {

using protocol::ApiVersionsRequest;
using protocol::ApiVersionsResponse;

// Kafka's pattern for client software names and versions:
// [a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?
bool is_software_word(std::string_view text) {
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (text.empty() || !word(text.front()) || !word(text.back())) return false;
  return std::ranges::all_of(text, [&](char c) { return word(c) || c == '-' || c == '.'; });
}

ApiVersionsResponse::ApiVersion range(const muster_api_claim& claim) {
  return {claim.key, claim.min, claim.max};
}

}  // namespace

Error ApiVersions::check(const muster_request& request, bool& readable) const {
  const auto decoded =
      protocol::decode<ApiVersionsRequest>(from_abi(request.body), request.version);
  readable = decoded.has_value();
  if (!readable) return Error::none;
  if (request.version >= 3 && (!is_software_word(decoded->client_software_name) ||
                               !is_software_word(decoded->client_software_version))) {
    return Error::invalid_request;
  }
  if (request.version < 5) return Error::none;
  const bool names_cluster = decoded->cluster_id.has_value();
  const bool names_node = decoded->node_id >= 0;
  if (names_cluster != names_node) return Error::invalid_request;
  if (!names_cluster) return Error::none;
  const bool same = *decoded->cluster_id == cluster_id_ && decoded->node_id == node_id_;
  return same ? Error::none : Error::rebootstrap_required;
}

void ApiVersions::answer(const muster_request& request, const ApiTable& apis,
                         const ReplyTo& to) const {
  ApiVersionsResponse response;
  Buffer body;
  if (request.version < claim.min || request.version > claim.max) {
    response.error_code = code_of(Error::unsupported_version);
    response.api_keys.push_back(range(claim));
    protocol::encode(response, 0, body);
    to.body(body);
    return;
  }
  bool readable = false;
  const Error error = check(request, readable);
  if (!readable) {
    to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  response.error_code = code_of(error);
  // The names in the answer point into it.
  const std::vector<FeatureLevel> features = features_.all();
  if (error == Error::none) {
    for (const auto& [key, entry] : apis.entries()) response.api_keys.push_back(range(entry.claim));
    response.finalized_features_epoch = features_.epoch();
    for (const FeatureLevel& feature : features) {
      // Clients before v4 took a minimum of 0 for a broken range.
      if (request.version >= 4 || feature.min > 0) {
        response.supported_features.push_back({feature.name, feature.min, feature.max});
      }
      if (feature.level > 0) {
        response.finalized_features.push_back({feature.name, feature.level, feature.level});
      }
    }
  }
  protocol::encode(response, request.version, body);
  to.body(body);
}

}  // namespace muster::host
