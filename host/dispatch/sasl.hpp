// SaslHandshake (17) and SaslAuthenticate (36) on listeners that do not authenticate: a client that
// tries learns why it fails, where a closed connection would make it retry. [pure]
#pragma once

#include "runtime/answer.hpp"

#include <muster/abi/request.h>

namespace muster::host {

struct Sasl {
  static constexpr muster_api_claim handshake_claim{17, 0, 1, 32767, MUSTER_SCOPE_BROKER, 0};
  static constexpr muster_api_claim authenticate_claim{36, 0, 2, 2, MUSTER_SCOPE_BROKER, 0};

  static void answer(const muster_request& request, const ReplyTo& to);
};

}  // namespace muster::host
