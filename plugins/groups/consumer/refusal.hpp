// A Kafka error with the sentence that goes into ErrorMessage. Value, any thread.
#pragma once

#include <muster/protocol/errors.hpp>

#include <optional>
#include <string>

namespace muster::consumer {

struct Refusal {
  protocol::Error error = protocol::Error::none;
  std::optional<std::string> message;  // nothing where Kafka sends none
};

}  // namespace muster::consumer
