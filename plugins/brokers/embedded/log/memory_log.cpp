// See memory_log.hpp.
#include "memory_log.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace muster::embedded {
namespace {

std::int64_t size_of(const StoredBatch& batch) {
  return static_cast<std::int64_t>(batch.bytes.size());
}

}  // namespace

LogOffsets MemoryLog::offsets() const {
  const std::shared_lock lock(mutex_);
  return offsets_;
}

std::int64_t MemoryLog::bytes() const {
  const std::shared_lock lock(mutex_);
  return bytes_;
}

Stored<void> MemoryLog::append(LogAppend append) {
  const std::unique_lock lock(mutex_);
  const std::int64_t before = entries_.empty() ? no_timestamp : entries_.back().greatest_timestamp;
  offsets_.end = append.range.last_offset + 1;
  bytes_ += size_of(append.batch);
  entries_.push_back(
      {std::move(append.batch), append.range, std::max(before, append.range.max_timestamp)});
  return {};
}

Stored<void> MemoryLog::trim(std::int64_t offset) {
  const std::unique_lock lock(mutex_);
  if (offset <= offsets_.start) return {};
  offsets_.start = offset;
  while (!entries_.empty() && entries_.front().range.last_offset < offset) {
    bytes_ -= size_of(entries_.front().batch);
    entries_.pop_front();
  }
  raise_timestamps();
  return {};
}

// After the first entries went, what they had raised counts no more.
void MemoryLog::raise_timestamps() {
  std::int64_t greatest = no_timestamp;
  for (Entry& entry : entries_) {
    greatest = std::max(greatest, entry.range.max_timestamp);
    if (entry.greatest_timestamp == greatest) return;
    entry.greatest_timestamp = greatest;
  }
}

MemoryLog::Entries::const_iterator MemoryLog::holding(std::int64_t offset) const {
  return std::ranges::lower_bound(entries_, offset, {},
                                  [](const Entry& entry) { return entry.range.last_offset; });
}

Stored<std::vector<StoredPiece>> MemoryLog::read(const ReadLimits& limits) const {
  std::vector<StoredPiece> pieces;
  const std::shared_lock lock(mutex_);
  std::int64_t left = limits.max_bytes;
  for (auto at = holding(limits.offset);
       at != entries_.end() && at->range.base_offset < limits.upper_bound; ++at) {
    const std::int64_t size = size_of(at->batch);
    if (pieces.empty() && size > left) {
      if (!limits.at_least_one) break;
      left = size;
    }
    const std::int64_t given = std::min(size, left);
    if (given == 0) break;
    pieces.push_back({.owner = at->batch.owner,
                      .bytes = at->batch.bytes.first(static_cast<std::size_t>(given)),
                      .size = given});
    left -= given;
  }
  return pieces;
}

Stored<std::vector<IndexedBatch>> MemoryLog::index(std::int64_t offset, std::size_t most) const {
  std::vector<IndexedBatch> found;
  const std::shared_lock lock(mutex_);
  for (auto at = holding(offset); at != entries_.end() && found.size() < most; ++at) {
    found.push_back({at->range, size_of(at->batch)});
  }
  return found;
}

Stored<std::optional<StoredBatch>> MemoryLog::first_reaching(std::int64_t timestamp,
                                                             std::int64_t from) const {
  const std::shared_lock lock(mutex_);
  auto at = std::ranges::lower_bound(entries_, timestamp, {}, &Entry::greatest_timestamp);
  if (at != entries_.end() && at->range.last_offset < from) at = holding(from);
  const auto reaches = [&](const Entry& entry) { return entry.range.max_timestamp >= timestamp; };
  at = std::find_if(at, entries_.end(), reaches);
  if (at == entries_.end()) return std::nullopt;
  return at->batch;
}

Stored<std::optional<StoredBatch>> MemoryLog::newest_by_timestamp(std::int64_t from) const {
  const std::shared_lock lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  const auto first = std::ranges::lower_bound(entries_, entries_.back().greatest_timestamp, {},
                                              &Entry::greatest_timestamp);
  if (first->range.last_offset >= from) return first->batch;
  const auto newest = std::max_element(
      holding(from), entries_.end(),
      [](const Entry& a, const Entry& b) { return a.range.max_timestamp < b.range.max_timestamp; });
  if (newest == entries_.end()) return std::nullopt;
  return newest->batch;
}

Stored<OpenedLog> MemoryLogs::open(const protocol::Uuid&, std::int32_t, std::int64_t) {
  return OpenedLog{std::make_shared<MemoryLog>(), {}};
}

}  // namespace muster::embedded
