// Kafka error codes as the host's refusals use them. [pure]
#pragma once

#include <cstdint>

#include <muster/protocol/errors.hpp>

namespace muster::host {

using protocol::Error;

constexpr std::int16_t code_of(Error error) { return static_cast<std::int16_t>(error); }

}  // namespace muster::host
