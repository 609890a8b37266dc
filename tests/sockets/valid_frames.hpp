// A request of every API that a host serves, in every version, that parses and does little.
#pragma once

#include "client.hpp"

#include <vector>

namespace muster::sockets {

struct ValidFrame {
  std::int16_t key = 0;
  std::int16_t version = 0;
  Buffer bytes;  // framed
};

[[nodiscard]] std::vector<ValidFrame> valid_frames();

}  // namespace muster::sockets
