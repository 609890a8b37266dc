// The message in a request's body. Any thread.
#pragma once

#include <muster/protocol/codec.hpp>
#include <muster/sdk/failure.hpp>
#include <muster/sdk/request.hpp>

#include <string>
#include <utility>

namespace muster::classic {

// Throws where the body is no such message.
template <class Message>
Message parse(const sdk::Request& request) {
  auto message = protocol::decode<Message>(protocol::Bytes(request.body()), request.version());
  if (!message) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, std::string(message.error().what));
  return *std::move(message);
}

}  // namespace muster::classic
