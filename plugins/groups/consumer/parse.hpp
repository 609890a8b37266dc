// A request's body as a message. Any thread.
#pragma once

#include <muster/protocol/codec.hpp>
#include <muster/sdk/failure.hpp>
#include <muster/sdk/request.hpp>

#include <string>
#include <utility>

namespace muster::consumer {

// Throws Failure(MUSTER_INVALID_ARGUMENT) for a body that cannot be read. Views into the body.
template <class Message>
Message parse(const sdk::Request& request) {
  auto message = protocol::decode<Message>(protocol::Bytes(request.body()), request.version());
  if (!message) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT, std::string(message.error().what));
  }
  return std::move(*message);
}

}  // namespace muster::consumer
