// The bodies that heartbeats are answered with. Pure, any thread.
#pragma once

#include <muster/protocol/types.hpp>

#include <cstdint>
#include <string_view>

#include "refusal.hpp"
#include "topic_partitions.hpp"

namespace muster::consumer {

struct HeartbeatAnswer {
  std::string_view member_id;
  std::int32_t member_epoch = 0;
  std::int32_t heartbeat_interval_ms = 0;
  const AssignedPartitions* assignment = nullptr;  // NULL: unchanged
};

// Appends.
void encode(const HeartbeatAnswer& answer, std::int16_t version, protocol::Buffer& out);
void encode(const Refusal& refusal, std::int16_t version, protocol::Buffer& out);

}  // namespace muster::consumer
