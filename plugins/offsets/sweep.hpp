// What removes offsets without a request: deleted topics, and retention. Each step of a sweep is
// bounded, so that a shard is never long inside one nor a batch too large. [shard]
#pragma once

#include <cstddef>
#include <set>

#include <muster/sdk/decision.hpp>

#include "committed_offsets.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

// Of keys in one step's tombstones.
inline constexpr std::size_t sweep_step_bytes = std::size_t{512} << 10;

// Both return false if the step's bounds ended it: it is to be done again once it was replayed.
bool sweep_deleted_topics(const ShardView& view, const std::set<DeletedTopic>& topics,
                          sdk::Decision& out);
// Kafka's rules for each kind of group are the owner's to tell; a group without a protocol expires
// from its commits. Groups left without an offset and a member go too.
bool sweep_expired(const ShardView& view, sdk::Decision& out);

}  // namespace muster::offsets
