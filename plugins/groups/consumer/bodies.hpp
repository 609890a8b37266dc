// Where requests go, how answers in parts become one, and how the host says no in our name. All
// from the bodies alone. Pure, any thread.
#pragma once

#include <muster/sdk/host.hpp>
#include <muster/sdk/request.hpp>

#include <string_view>

#include "settings.hpp"

namespace muster::consumer {

// Throw Failure(MUSTER_INVALID_ARGUMENT) for a body that cannot be read.
void route(const sdk::Request& request, sdk::RouteSink& out);
void join(const sdk::Request& request, sdk::Parts parts, sdk::BytesSink& out);

struct No {
  std::int16_t kafka_error;
  const sdk::Host& host;
  const Settings& settings;
};
void refuse(const sdk::Request& request, const No& no, sdk::BytesSink& out);

}  // namespace muster::consumer
