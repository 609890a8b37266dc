// See retention.hpp.
#include "topics/retention.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace muster::embedded {
namespace {

// Batches that are looked at in one step.
constexpr std::size_t page = 1000;
// So that a very long interval is no overflow of the clock.
constexpr std::int64_t longest_sleep_ms = 86'400'000;

}  // namespace

Stored<std::int64_t> retained_from(const PartitionLog& log, const TopicConfig& config,
                                   std::int64_t now_ms) {
  const LogOffsets offsets = log.offsets();
  std::int64_t start = offsets.start;
  if (!config.cut_by_retention) return start;
  const bool by_size = config.retention_bytes >= 0;
  std::int64_t too_many = by_size ? log.bytes() - config.retention_bytes : 0;
  const auto due = [&](const IndexedBatch& batch) {
    // A batch without timestamps has no age.
    const std::int64_t written_ms = batch.range.max_timestamp;
    if (config.retention_ms >= 0 && written_ms >= 0 && now_ms - written_ms > config.retention_ms) {
      return true;
    }
    return by_size && too_many >= batch.size;
  };
  for (;;) {
    const auto batches = log.index(start, page);
    if (!batches) return std::unexpected(batches.error());
    for (const IndexedBatch& batch : *batches) {
      if (!due(batch)) return start;
      too_many -= batch.size;
      start = batch.range.last_offset + 1;
    }
    if (batches->size() < page) return start;
  }
}

Retention::Retention(RetentionParts parts) : parts_(std::move(parts)), thread_([this] { run(); }) {}

Retention::~Retention() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  woken_.notify_one();
  thread_.join();
}

void Retention::run() {
  const std::chrono::milliseconds interval(std::min(parts_.check_interval_ms, longest_sleep_ms));
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (woken_.wait_for(lock, interval, [this] { return stopping_.load(); })) return;
    }
    check();
  }
}

void Retention::check() {
  for (const TopicPtr& topic : parts_.topics.current()->all()) {
    for (const auto& partition : topic->partitions) {
      if (stopping_) return;
      cut(*topic, *partition);
    }
  }
}

void Retention::cut(const Topic& topic, Partition& partition) {
  const auto start = retained_from(partition.log(), *topic.config, parts_.host.wall_ms());
  if (!start) return parts_.host.error("a log could not be read: ", start.error().what);
  if (*start <= partition.offsets().start) return;
  const Trimmed trimmed = partition.trim(*start);
  if (!trimmed.fault.empty()) parts_.host.error("a log could not be cut: ", trimmed.fault);
}

}  // namespace muster::embedded
