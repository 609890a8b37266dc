// Connections between simulated clients and the host: bytes travel when the run says so, in order
// per connection, as TCP and the host's own queue of answers have it. Tests only; one thread.
#pragma once

#include <muster/protocol/codec.hpp>

#include <functional>
#include <memory>

#include "sim_host.hpp"

namespace muster::simulation {

using ConnectionId = std::uint64_t;

class Network {
 public:
  struct Request {
    std::int16_t api_key = 0;
    std::int16_t version = 0;
    host::Buffer body;
    std::function<void(host::Bytes)> on_answer;
    std::function<void()> on_served;  // it has reached the host
  };

  explicit Network(SimHost& host) : host_(host) {}
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  ConnectionId connect(std::string client_id);
  void send(ConnectionId connection, Request request);
  template <class Message>
  void ask(ConnectionId connection, const Message& message, std::int16_t version,
           std::function<void(host::Bytes)> on_answer, std::function<void()> on_served = {}) {
    Request request{Message::api_key, version, {}, std::move(on_answer), std::move(on_served)};
    protocol::encode(message, version, request.body);
    send(connection, std::move(request));
  }
  // Both directions are lost; who is unlucky never hears whether its request was served.
  void drop(ConnectionId connection);
  // One request or answer of a random connection arrives. False: nothing is on its way.
  bool step(Random& random);
  // Requests that have been served but not answered.
  std::size_t unanswered() const;

 private:
  class Connection;

  SimHost& host_;
  std::map<ConnectionId, std::shared_ptr<Connection>> connections_;
  ConnectionId last_ = 0;
};

}  // namespace muster::simulation
