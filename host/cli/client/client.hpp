// Asks a host in Kafka's protocol: ApiVersions first, then each request in the newest version that
// both know. Owner: host/cli. One thread.
#pragma once

#include "cli/client/wire.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/request_header.hpp>

#include <algorithm>
#include <map>
#include <thread>

namespace muster::host {

// An answer; strings in the message point into the bytes.
template <class Response>
struct Reply {
  protocol::Buffer bytes;
  Response message{};
};

class Client {
 public:
  [[nodiscard]] static Outcome<Client> connect(const Target& target);

  // The newest version up to `newest` that both know.
  template <class Request>
  [[nodiscard]] std::optional<std::int16_t> version_of(
      std::int16_t newest = Request::max_version) const {
    return common_version(Request::api_key, {Request::min_version, newest});
  }

  template <class Response, class Request>
  [[nodiscard]] Outcome<Reply<Response>> ask(const Request& request,
                                             std::int16_t newest = Request::max_version) {
    const auto version = version_of<Request>(newest);
    if (!version) return std::unexpected(not_offered(Request::api_key));
    return ask_in<Response>(request, *version);
  }

  // As `ask`, again and again while the host still loads, for as long as one waits for an answer.
  // `error_of` finds the error in a message.
  template <class Response, class Request, class ErrorOf>
  [[nodiscard]] Outcome<Reply<Response>> ask_loaded(const Request& request, ErrorOf error_of,
                                                    std::int16_t newest = Request::max_version) {
    const auto until = std::chrono::steady_clock::now() + wire_.target().patience;
    for (;;) {
      auto reply = ask<Response>(request, newest);
      if (!reply || !loads(error_of(reply->message)) || std::chrono::steady_clock::now() > until) {
        return reply;
      }
      std::this_thread::sleep_for(ask_again);
    }
  }

 private:
  using Versions = std::pair<std::int16_t, std::int16_t>;
  static constexpr std::chrono::milliseconds ask_again{50};

  explicit Client(Wire wire) : wire_(std::move(wire)) {}

  static bool loads(std::int16_t error) {
    return error == protocol::code(protocol::Error::coordinator_load_in_progress) ||
           error == protocol::code(protocol::Error::coordinator_not_available);
  }
  Outcome<void> learn_versions();
  std::optional<std::int16_t> common_version(std::int16_t api_key, Versions ours) const;
  Failure not_offered(std::int16_t api_key) const;
  Failure unreadable(std::int16_t api_key) const;
  // The body behind the header of an answer that belongs to this request.
  Outcome<protocol::Buffer> exchange(const protocol::RequestHeader& header,
                                     std::int16_t first_flexible, protocol::Bytes body);

  template <class Response, class Request>
  Outcome<Reply<Response>> ask_in(const Request& request, std::int16_t version) {
    protocol::Buffer body;
    protocol::encode(request, version, body);
    protocol::RequestHeader header;
    header.request_api_key = Request::api_key;
    header.request_api_version = version;
    header.correlation_id = ++last_correlation_id_;
    header.client_id = "muster";
    auto answer = exchange(header, Request::first_flexible_version, body);
    if (!answer) return std::unexpected(answer.error());
    Reply<Response> reply{std::move(*answer)};
    auto message = protocol::decode<Response>(reply.bytes, version);
    if (!message) return std::unexpected(unreadable(Request::api_key));
    reply.message = std::move(*message);
    return reply;
  }

  Wire wire_;
  std::int32_t last_correlation_id_ = 0;
  std::map<std::int16_t, Versions> theirs_;
};

}  // namespace muster::host
