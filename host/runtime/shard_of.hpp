// Kafka's way from an id to a partition: abs(String.hashCode) % n. [pure]
#pragma once

#include <muster/protocol/java_string.hpp>

namespace muster::host {

inline std::uint32_t shard_of(std::string_view key, std::uint32_t shards) {
  const std::int32_t hash = protocol::java_hash(key);
  // Kafka's Utils.abs: the minimum has no positive twin and becomes 0.
  const std::uint32_t positive =
      hash == INT32_MIN ? 0 : static_cast<std::uint32_t>(hash < 0 ? -hash : hash);
  return positive % shards;
}

}  // namespace muster::host
