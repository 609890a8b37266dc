// The vectors that Kafka's serializers wrote (tests/vectors/protocol), line by line.
#pragma once

#include <muster/protocol/types.hpp>

#include <functional>
#include <string>

namespace muster::protocol::testing {

struct Vector {
  std::string message;
  std::int16_t version = 0;
  std::string style;
  Buffer bytes;
  std::string text;
};

// Throws std::runtime_error if the file is not there or not as it should be.
void for_each_vector(const std::function<void(const Vector&)>& visit);

Buffer from_hex(std::string_view text);
std::string to_hex(Bytes bytes);

}  // namespace muster::protocol::testing
