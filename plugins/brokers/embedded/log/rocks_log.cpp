// See rocks_log.hpp. Opening and reading.
#include "log/rocks_log.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "log/rocks_log_walk.hpp"

namespace muster::embedded {
namespace {

// Batches that are asked of the database in one call.
constexpr std::size_t loaded_at_once = 256;

// Keeps what bytes lie in, and the database under it.
struct Pinned {
  std::shared_ptr<RocksDatabase> database;
  std::vector<rocksdb::PinnableSlice> slices;
};

protocol::Bytes to_bytes(const rocksdb::Slice& slice) {
  return {reinterpret_cast<const std::uint8_t*>(slice.data()), slice.size()};
}

// What the limits leave to the batches that come.
class Budget {
 public:
  explicit Budget(const ReadLimits& limits) : limits_(limits), left_(limits.max_bytes) {}

  bool take(std::int64_t base_offset, std::int64_t size) {
    if (base_offset >= limits_.upper_bound) return false;
    if (size > left_ && !(first_ && limits_.at_least_one)) return false;
    first_ = false;
    left_ -= size;
    return true;
  }

 private:
  const ReadLimits& limits_;
  std::int64_t left_;
  bool first_ = true;
};

}  // namespace

Stored<OpenedLog> RocksLog::open(Parts parts) {
  const std::shared_ptr<RocksLog> log(new RocksLog(std::move(parts)));
  if (auto done = log->restore(); !done) return std::unexpected(std::move(done.error()));
  auto producers = log->restore_producers();
  if (!producers) return std::unexpected(std::move(producers.error()));
  return OpenedLog{log, *std::move(producers)};
}

Stored<void> RocksLog::restore() {
  const auto bounds = parts_.database->get(Family::metadata, parts_.keys.bounds());
  if (!bounds) return std::unexpected(bounds.error());
  if (*bounds) {
    const auto stored = bounds_value(**bounds);
    if (!stored) return std::unexpected(parts_.database->unreadable("no bounds of a log"));
    state_.offsets = *stored;
  }
  const RocksWalk index = walk(Family::index);
  index->SeekToLast();
  if (index->Valid()) {
    const auto last = index_value(index.value());
    if (!last) return std::unexpected(parts_.database->unreadable("no entry of an index"));
    state_.offsets.end = last->last_offset + 1;
    state_.end_position = last->position + last->size;
    state_.first_position = state_.end_position;
    auto done = for_each(state_.offsets.start, [&](const Found& first) {
      state_.first_position = first.position;
      return false;
    });
    if (!done) return done;
  }
  const RocksWalk times = walk(Family::times);
  times->SeekToLast();
  if (times->Valid()) state_.greatest_timestamp = time_in(times.key());
  for (const auto* each : {&index, &times}) {
    if (!(*each)->status().ok()) {
      return std::unexpected(parts_.database->unreadable((*each)->status().ToString()));
    }
  }
  return {};
}

Stored<std::vector<ProducerEntry>> RocksLog::restore_producers() const {
  std::vector<ProducerEntry> entries;
  const RocksWalk producers = walk(Family::producers);
  for (producers->SeekToFirst(); producers->Valid(); producers->Next()) {
    auto entry = producer_entry(number_in(producers.key()), producers.value());
    if (!entry) return std::unexpected(parts_.database->unreadable("no state of a producer"));
    entries.push_back(*entry);
  }
  if (!producers->status().ok()) {
    return std::unexpected(parts_.database->unreadable(producers->status().ToString()));
  }
  return entries;
}

RocksWalk RocksLog::walk(Family family) const {
  return {*parts_.database, family, parts_.keys.begin(), parts_.keys.end()};
}

RocksLog::State RocksLog::state() const {
  const std::shared_lock lock(mutex_);
  return state_;
}

LogOffsets RocksLog::offsets() const { return state().offsets; }

std::int64_t RocksLog::bytes() const {
  const State now = state();
  return now.end_position - now.first_position;
}

bool RocksLog::read_recent(const ReadLimits& limits, std::vector<StoredBatch>& batches) const {
  const std::shared_lock lock(mutex_);
  if (recent_.empty() || limits.offset < recent_.front().range.base_offset) return false;
  Budget budget(limits);
  auto at = std::ranges::lower_bound(recent_, limits.offset, {},
                                     [](const Recent& recent) { return recent.range.last_offset; });
  for (; at != recent_.end(); ++at) {
    const auto size = static_cast<std::int64_t>(at->batch.bytes.size());
    if (!budget.take(at->range.base_offset, size)) break;
    batches.push_back(at->batch);
  }
  return true;
}

Stored<std::vector<StoredBatch>> RocksLog::read(const ReadLimits& limits) const {
  std::vector<StoredBatch> batches;
  if (read_recent(limits, batches)) return batches;
  Budget budget(limits);
  std::vector<std::int64_t> base_offsets;
  auto looked = for_each(limits.offset, [&](const Found& found) {
    if (!budget.take(found.batch.range.base_offset, found.batch.size)) return false;
    base_offsets.push_back(found.batch.range.base_offset);
    return true;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return load(base_offsets);
}

Stored<std::vector<IndexedBatch>> RocksLog::index(std::int64_t offset, std::size_t most) const {
  std::vector<IndexedBatch> batches;
  if (most == 0) return batches;
  auto looked = for_each(offset, [&](const Found& found) {
    batches.push_back(found.batch);
    return batches.size() < most;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return batches;
}

// A batch that is gone by now, with all before it, was trimmed or removed meanwhile; then nothing
// is given of what would come after the hole.
Stored<std::vector<StoredBatch>> RocksLog::load(
    const std::vector<std::int64_t>& base_offsets) const {
  std::vector<StoredBatch> batches;
  for (std::size_t done = 0; done < base_offsets.size();) {
    const std::size_t count = std::min(loaded_at_once, base_offsets.size() - done);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(parts_.keys.at(base_offsets[done + i]));
    const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<rocksdb::Status> statuses(count);
    const auto pinned = std::make_shared<Pinned>();
    pinned->database = parts_.database;
    pinned->slices.resize(count);
    parts_.database->db().MultiGet({}, parts_.database->family(Family::batches), count,
                                   slices.data(), pinned->slices.data(), statuses.data(), true);
    for (std::size_t i = 0; i < count; ++i) {
      if (statuses[i].IsNotFound()) {
        const auto entry = parts_.database->get(Family::index, keys[i]);
        if (!entry) return std::unexpected(entry.error());
        if (*entry) return std::unexpected(parts_.database->unreadable("a batch is missing"));
        return std::vector<StoredBatch>{};
      }
      if (!statuses[i].ok()) {
        return std::unexpected(parts_.database->unreadable(statuses[i].ToString()));
      }
      batches.push_back({pinned, to_bytes(pinned->slices[i])});
    }
    done += count;
  }
  return batches;
}

Stored<std::optional<StoredBatch>> RocksLog::load(std::int64_t base_offset) const {
  auto batches = load(std::vector{base_offset});
  if (!batches) return std::unexpected(std::move(batches.error()));
  if (batches->empty()) return std::nullopt;
  return std::move(batches->front());
}

Stored<std::optional<StoredBatch>> RocksLog::first_reaching(std::int64_t timestamp,
                                                            std::int64_t from) const {
  const RocksWalk times = walk(Family::times);
  times->Seek(parts_.keys.at_time(timestamp));
  if (!times->status().ok()) {
    return std::unexpected(parts_.database->unreadable(times->status().ToString()));
  }
  if (!times->Valid()) return std::nullopt;
  const std::int64_t raising = number_value(times.value()).value_or(-1);
  if (raising >= from) return load(raising);
  // Of those behind `from` the first may be any.
  std::optional<std::int64_t> reaching;
  auto looked = for_each(from, [&](const Found& found) {
    if (found.batch.range.max_timestamp >= timestamp) reaching = found.batch.range.base_offset;
    return !reaching;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  if (!reaching) return std::nullopt;
  return load(*reaching);
}

Stored<std::optional<StoredBatch>> RocksLog::newest_by_timestamp(std::int64_t from) const {
  const RocksWalk times = walk(Family::times);
  times->SeekToLast();
  if (!times->status().ok()) {
    return std::unexpected(parts_.database->unreadable(times->status().ToString()));
  }
  if (!times->Valid()) return std::nullopt;
  const std::int64_t newest = number_value(times.value()).value_or(-1);
  if (newest >= from) return load(newest);
  std::optional<BatchRange> best;
  auto looked = for_each(from, [&](const Found& found) {
    if (!best || found.batch.range.max_timestamp > best->max_timestamp) best = found.batch.range;
    // There is none greater: this one began before `from` and reaches beyond it.
    return found.batch.range.base_offset != newest;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  if (!best) return std::nullopt;
  return load(best->base_offset);
}

}  // namespace muster::embedded
