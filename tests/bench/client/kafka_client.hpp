// A bare Kafka connection for load tools: frames out, frames in, no client library in the way.
#pragma once

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/request_header.hpp>

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>

namespace muster::bench {

// The message in an answer's body, which it may view.
template <class Response>
Response read_answer(protocol::Bytes body, std::int16_t version) {
  auto decoded = protocol::decode<Response>(body, version);
  if (!decoded) throw std::runtime_error("an answer could not be read");
  return *std::move(decoded);
}

class KafkaConnection {
 public:
  KafkaConnection(const std::string& host, std::uint16_t port);
  ~KafkaConnection();
  KafkaConnection(KafkaConnection&& other) noexcept;
  KafkaConnection(const KafkaConnection&) = delete;
  KafkaConnection& operator=(const KafkaConnection&) = delete;

  int socket() const { return socket_; }
  // Appends a whole request frame to `out`. Returns its correlation id.
  template <class Request>
  std::int32_t frame(const Request& request, std::int16_t version, protocol::Buffer& out) {
    protocol::RequestHeader header;
    header.request_api_key = Request::api_key;
    header.request_api_version = version;
    header.correlation_id = ++correlation_;
    header.client_id = "bench";
    const std::size_t start = out.size();
    out.resize(start + 4);
    protocol::encode(header, version >= Request::first_flexible_version ? 2 : 1, out);
    protocol::encode(request, version, out);
    const std::size_t size = out.size() - start - 4;
    for (int i = 0; i < 4; ++i) out[start + i] = static_cast<std::uint8_t>(size >> (24 - 8 * i));
    return correlation_;
  }
  void send_all(const protocol::Buffer& bytes);
  // Blocks for one whole response frame; `body_of` skips its header.
  protocol::Buffer receive();

  // Sends one request and waits for its answer. The result's views point into `answer`.
  template <class Response, class Request>
  Response ask(const Request& request, std::int16_t version, protocol::Buffer& answer) {
    protocol::Buffer out;
    frame(request, version, out);
    send_all(out);
    answer = receive();
    const bool flexible = version >= Request::first_flexible_version;
    return read_answer<Response>(protocol::Bytes(answer).subspan(flexible ? 5 : 4), version);
  }

 private:
  int socket_ = -1;
  std::int32_t correlation_ = 0;
};

}  // namespace muster::bench
