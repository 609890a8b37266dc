// What stands before a body: splitting a request frame, starting a response. Owner: protocol.
#include <muster/protocol/request_header.hpp>

namespace muster::protocol {

std::expected<RequestPrefix, DecodeError> peek_request(Bytes frame) {
  Reader in(frame);
  RequestPrefix prefix;
  prefix.api_key = in.read_int16();
  prefix.api_version = in.read_int16();
  prefix.correlation_id = in.read_int32();
  if (!in.ok()) return std::unexpected(DecodeError{in.error(), in.error_offset()});
  return prefix;
}

std::expected<Request, DecodeError> split_request(Bytes frame, std::int16_t first_flexible) {
  const auto prefix = peek_request(frame);
  if (!prefix) return std::unexpected(prefix.error());
  Reader in(frame);
  std::expected<Request, DecodeError> request;
  request->header.read(in, request_header_version(first_flexible, prefix->api_version));
  if (!in.ok()) return std::unexpected(DecodeError{in.error(), in.error_offset()});
  request->body = in.rest();
  return request;
}

void write_response_header(Writer& out, std::int32_t correlation_id, std::int16_t header_version) {
  out.write_int32(correlation_id);
  if (header_version > 0) out.write_uvarint(0);
}

}  // namespace muster::protocol
