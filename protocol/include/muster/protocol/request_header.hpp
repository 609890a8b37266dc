// What stands before a body: splitting a request frame, starting a response. Owner: protocol.
#pragma once

#include <muster/protocol/messages/request_header.hpp>

namespace muster::protocol {

// `first_flexible` is the API's first flexible version, from ApiInfo or from the plugin that
// serves a private API.
constexpr std::int16_t request_header_version(std::int16_t first_flexible, std::int16_t version) {
  return version >= first_flexible ? 2 : 1;
}

// ApiVersions is answered with header 0 always, so that a client can read the refusal of a version
// the broker does not know.
constexpr std::int16_t response_header_version(std::int16_t api_key, std::int16_t first_flexible,
                                               std::int16_t version) {
  constexpr std::int16_t api_versions = 18;
  return api_key != api_versions && version >= first_flexible ? 1 : 0;
}

// The start of every request header, which decides how the rest is to be read.
struct RequestPrefix {
  std::int16_t api_key = 0;
  std::int16_t api_version = 0;
  std::int32_t correlation_id = 0;
};

std::expected<RequestPrefix, DecodeError> peek_request(Bytes frame);

struct Request {
  RequestHeader header{};
  Bytes body{};
};

// `frame` is what follows the frame's size. Views in the header point into it.
std::expected<Request, DecodeError> split_request(Bytes frame, std::int16_t first_flexible);

void write_response_header(Writer& out, std::int32_t correlation_id, std::int16_t header_version);

}  // namespace muster::protocol
