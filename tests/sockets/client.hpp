// A raw TCP client: bytes out, frames in, and requests made of protocol messages. One thread.
// Every wait is bounded, so that a host that hangs fails a test instead of stopping it.
#pragma once

#include <muster/protocol/request_header.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::sockets {

using protocol::Buffer;
using protocol::Bytes;

inline constexpr std::chrono::seconds patience{30};

// A frame with its length in front.
[[nodiscard]] Buffer framed(Bytes frame);
[[nodiscard]] Buffer joined(std::initializer_list<Buffer> frames);

// Header and body, framed. `body` may be anything.
struct RequestLine {
  std::int16_t key = 0;
  std::int16_t version = 0;
  std::int32_t correlation_id = 0;
  bool flexible = false;
  std::optional<std::string_view> client_id = "sockets";
};
[[nodiscard]] Buffer request_of(const RequestLine& line, Bytes body);

template <class Message>
[[nodiscard]] Buffer request(const Message& message, std::int16_t version,
                             std::int32_t correlation_id) {
  Buffer body;
  protocol::encode(message, version, body);
  return request_of(
      {Message::api_key, version, correlation_id, version >= Message::first_flexible_version},
      body);
}

// An answer's body behind its header, and what it says; strings in it point into `bytes`.
template <class Response>
struct Answered {
  Buffer bytes;
  Response message{};
};

class Client {
 public:
  explicit Client(std::uint16_t port);
  ~Client();
  Client(Client&& other) noexcept;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // False: the other side has closed meanwhile.
  bool send(Bytes bytes) const;
  // Sends until the other side takes no more for `quiet`; how many of the bytes were taken.
  [[nodiscard]] std::size_t send_until_refused(Bytes bytes, std::chrono::milliseconds quiet) const;
  // Says that nothing more will come.
  void finish_sending() const;
  // The next answer frame, with its correlation id and without its length; none: it was closed.
  [[nodiscard]] std::optional<Buffer> receive() const;
  // Reads to the end. The bytes that came before it.
  [[nodiscard]] std::size_t read_to_end() const { return read_text().size(); }
  [[nodiscard]] std::string read_text() const;

  template <class Response>
  [[nodiscard]] Answered<Response> receive_as(std::int16_t version,
                                              std::int32_t correlation_id) const {
    Answered<Response> answered;
    const auto frame = receive();
    if (!frame) {
      ADD_FAILURE() << "closed instead of an answer to " << correlation_id;
      return answered;
    }
    answered.bytes = *frame;
    const std::size_t header = header_size<Response>(version);
    EXPECT_GE(frame->size(), header);
    EXPECT_EQ(protocol::Reader(answered.bytes).read_int32(), correlation_id);
    const auto message = protocol::decode<Response>(Bytes(answered.bytes).subspan(header), version);
    EXPECT_TRUE(message) << "an answer that cannot be read";
    if (message) answered.message = *message;
    return answered;
  }
  template <class Response, class Request>
  Answered<Response> ask(const Request& asked, std::int16_t version) {
    const std::int32_t correlation_id = ++last_correlation_id_;
    EXPECT_TRUE(send(request(asked, version, correlation_id)));
    return receive_as<Response>(version, correlation_id);
  }

 private:
  template <class Response>
  static std::size_t header_size(std::int16_t version) {
    return protocol::response_header_version(Response::api_key, Response::first_flexible_version,
                                             version) == 1
               ? 5
               : 4;
  }
  [[nodiscard]] bool read_whole(std::span<std::uint8_t> into) const;

  int socket_;
  std::int32_t last_correlation_id_ = 1000;
};

}  // namespace muster::sockets
