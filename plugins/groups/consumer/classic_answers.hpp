// The bodies that the classic protocol's requests are answered with. Pure, any thread.
#pragma once

#include <muster/protocol/errors.hpp>
#include <muster/protocol/types.hpp>

#include <cstdint>
#include <string_view>

namespace muster::consumer {

struct JoinAnswer {
  std::string_view member_id;
  std::int32_t generation = 0;
  std::string_view protocol_name;
};
// `member_id`: the one to come back with, or empty.
struct JoinRefusal {
  protocol::Error error = protocol::Error::none;
  std::string_view member_id;
};
struct SyncRefusal {
  protocol::Error error = protocol::Error::none;
};
struct BeatAnswer {
  protocol::Error error = protocol::Error::none;
};
struct LeaveRefusal {
  protocol::Error error = protocol::Error::none;
};

// Append.
void encode(const JoinAnswer& answer, std::int16_t version, protocol::Buffer& out);
void encode(const JoinRefusal& refusal, std::int16_t version, protocol::Buffer& out);
void encode(const SyncRefusal& refusal, std::int16_t version, protocol::Buffer& out);
void encode(const BeatAnswer& answer, std::int16_t version, protocol::Buffer& out);
void encode(const LeaveRefusal& refusal, std::int16_t version, protocol::Buffer& out);

}  // namespace muster::consumer
