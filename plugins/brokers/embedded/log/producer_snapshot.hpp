// What was known of idempotent producers when a segment was begun, in a file beside it: a start
// reads no further back, and who wrote only what was trimmed since is known still. Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <muster/protocol/types.hpp>

#include "log/producer_entry.hpp"

namespace muster::embedded {

protocol::Buffer to_bytes(std::span<const ProducerEntry> producers);
// Nothing where its checksum is wrong, or it makes no sense.
std::optional<std::vector<ProducerEntry>> producer_snapshot(protocol::Bytes bytes);

}  // namespace muster::embedded
