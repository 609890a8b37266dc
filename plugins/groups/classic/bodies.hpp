// Where each request goes, and the body that says no. Pure, any thread.
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include <cstdint>

#include "settings.hpp"

namespace muster::classic {

struct No {
  std::int16_t kafka_error;
  const sdk::Host& host;
  const Settings& settings;
};

void route(const sdk::Request& request, sdk::RouteSink& out);
void refuse(const sdk::Request& request, const No& no, sdk::BytesSink& out);

}  // namespace muster::classic
