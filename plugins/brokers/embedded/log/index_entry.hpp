// What is known of one batch: an entry of fixed size in the index beside its segment. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "log/log.hpp"

namespace muster::embedded {

struct IndexEntry {
  BatchRange range;
  // Of all that was ever appended up to and with this batch: never falls, so it can be searched.
  std::int64_t greatest_timestamp = 0;
  std::int64_t position = 0;  // in bytes, of all that was ever appended
  std::int32_t size = 0;
  std::int64_t written_ms = -1;
  // Of its idempotent producer; -1: it has none.
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t first_sequence = -1;

  std::int64_t end() const { return position + size; }

  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

inline constexpr std::size_t index_entry_size = 72;
using IndexBytes = std::array<std::uint8_t, index_entry_size>;

// They wrap after the largest one.
std::int32_t last_sequence(const IndexEntry& entry);

IndexBytes to_bytes(const IndexEntry& entry);
// Nothing where its checksum is wrong, or it makes no sense.
std::optional<IndexEntry> index_entry(std::span<const std::uint8_t, index_entry_size> bytes);

}  // namespace muster::embedded
