// See memory_log.hpp.
#include "memory_log.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace muster::embedded {

LogOffsets MemoryLog::offsets() const {
  const std::shared_lock lock(mutex_);
  return offsets_;
}

Stored<void> MemoryLog::append(StoredBatch batch, const BatchRange& range) {
  const std::unique_lock lock(mutex_);
  const std::int64_t before = entries_.empty() ? -1 : entries_.back().greatest_timestamp;
  entries_.push_back({std::move(batch), range, std::max(before, range.max_timestamp)});
  offsets_.end = range.last_offset + 1;
  return {};
}

Stored<std::vector<StoredBatch>> MemoryLog::read(const ReadLimits& limits) const {
  std::vector<StoredBatch> batches;
  const std::shared_lock lock(mutex_);
  auto at = std::ranges::lower_bound(entries_, limits.offset, {},
                                     [](const Entry& entry) { return entry.range.last_offset; });
  std::int64_t left = limits.max_bytes;
  for (; at != entries_.end() && at->range.base_offset < limits.upper_bound; ++at) {
    const auto size = static_cast<std::int64_t>(at->batch.bytes.size());
    const bool first = batches.empty() && limits.at_least_one;
    if (size > left && !first) break;
    batches.push_back(at->batch);
    left -= size;
  }
  return batches;
}

Stored<std::optional<StoredBatch>> MemoryLog::first_reaching(std::int64_t timestamp) const {
  const std::shared_lock lock(mutex_);
  return search(timestamp);
}

Stored<std::optional<StoredBatch>> MemoryLog::newest_by_timestamp() const {
  const std::shared_lock lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  return search(entries_.back().greatest_timestamp);
}

std::optional<StoredBatch> MemoryLog::search(std::int64_t timestamp) const {
  const auto at = std::ranges::lower_bound(entries_, timestamp, {}, &Entry::greatest_timestamp);
  if (at == entries_.end()) return std::nullopt;
  return at->batch;
}

Stored<std::shared_ptr<PartitionLog>> MemoryLogs::open(const protocol::Uuid&, std::int32_t) {
  return std::make_shared<MemoryLog>();
}

void MemoryLogs::remove(const protocol::Uuid&, std::int32_t) {}

}  // namespace muster::embedded
