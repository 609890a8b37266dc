// See disk_log.hpp. Reading.
#include "log/disk_log.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "log/disk_log_walk.hpp"

namespace muster::embedded {

RocksWalk DiskLog::walk(Family family) const {
  return {*parts_.database, family, parts_.keys.begin(), parts_.keys.end()};
}

DiskLog::State DiskLog::state() const {
  const std::shared_lock lock(mutex_);
  return state_;
}

LogOffsets DiskLog::offsets() const { return state().offsets; }

std::int64_t DiskLog::bytes() const {
  const State now = state();
  return now.end_position - now.first_position;
}

Stored<std::optional<DiskLog::Found>> DiskLog::first_of(std::int64_t offset) const {
  std::optional<Found> first;
  auto looked = for_each(offset, [&](const Found& found) {
    first = found;
    return false;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return first;
}

Stored<std::vector<StoredPiece>> DiskLog::read(const ReadLimits& limits) const {
  const State now = state();
  const auto first = first_of(limits.offset);
  if (!first) return std::unexpected(first.error());
  std::vector<StoredPiece> pieces;
  if (!*first || (*first)->batch.range.base_offset >= limits.upper_bound) return pieces;
  std::int64_t end = now.end_position;
  if (limits.upper_bound < now.offsets.end) {
    const auto beyond = first_of(limits.upper_bound);
    if (!beyond) return std::unexpected(beyond.error());
    if (*beyond) end = (*beyond)->position;
  }
  const std::int64_t size = (*first)->batch.size;
  if (size > limits.max_bytes && !limits.at_least_one) return pieces;
  const std::int64_t position = (*first)->position;
  const std::int64_t wanted = std::min(std::max(limits.max_bytes, size), end - position);
  if (wanted <= 0) return pieces;
  auto piece = segments_.read({position, wanted});
  if (!piece) return std::unexpected(std::move(piece.error()));
  if (piece->size != 0) {
    pieces.push_back(*std::move(piece));
  } else if (auto gone = missing(position); !gone) {
    return std::unexpected(std::move(gone.error()));
  }
  return pieces;
}

Stored<void> DiskLog::missing(std::int64_t position) const {
  const auto first = first_of(0);
  if (!first) return std::unexpected(first.error());
  if (!*first || (*first)->position > position) return {};
  return std::unexpected(parts_.database->unreadable("a segment is missing"));
}

Stored<std::vector<IndexedBatch>> DiskLog::index(std::int64_t offset, std::size_t most) const {
  std::vector<IndexedBatch> batches;
  if (most == 0) return batches;
  auto looked = for_each(offset, [&](const Found& found) {
    batches.push_back(found.batch);
    return batches.size() < most;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return batches;
}

Stored<std::optional<StoredBatch>> DiskLog::load(const std::optional<Found>& found) const {
  if (!found) return std::nullopt;
  auto batch = segments_.copy({found->position, found->batch.size});
  if (!batch) return std::unexpected(std::move(batch.error()));
  if (!batch->bytes.empty()) return *std::move(batch);
  if (auto gone = missing(found->position); !gone) return std::unexpected(std::move(gone.error()));
  return std::nullopt;
}

Stored<std::int64_t> DiskLog::none_reaching_before(std::int64_t timestamp) const {
  std::int64_t from = offsets().start;
  for (std::int64_t to = offsets().end; from < to;) {
    const auto middle = first_of(from + (to - from) / 2);
    if (!middle) return std::unexpected(middle.error());
    if (!*middle) break;
    const BatchRange& range = (*middle)->batch.range;
    if ((*middle)->greatest_timestamp >= timestamp) {
      to = std::min(to, range.base_offset);
    } else {
      from = range.last_offset + 1;
    }
  }
  return from;
}

// What the greatest timestamps count may be gone, so each batch's own is looked at.
Stored<std::optional<StoredBatch>> DiskLog::first_reaching(std::int64_t timestamp,
                                                            std::int64_t from) const {
  const auto begin = none_reaching_before(timestamp);
  if (!begin) return std::unexpected(begin.error());
  std::optional<Found> reaching;
  auto looked = for_each(std::max(*begin, from), [&](const Found& found) {
    if (found.batch.range.max_timestamp >= timestamp) reaching = found;
    return !reaching;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return load(reaching);
}

Stored<std::optional<StoredBatch>> DiskLog::newest_by_timestamp(std::int64_t from) const {
  const std::int64_t greatest = state().greatest_timestamp;
  const auto begin = none_reaching_before(greatest);
  if (!begin) return std::unexpected(begin.error());
  std::optional<Found> newest;
  auto looked = for_each(std::max(*begin, from), [&](const Found& found) {
    const std::int64_t timestamp = found.batch.range.max_timestamp;
    if (!newest || timestamp > newest->batch.range.max_timestamp) newest = found;
    return timestamp < greatest;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return load(newest);
}

}  // namespace muster::embedded
