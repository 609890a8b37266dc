// See rocks_log.hpp. Appending and trimming: each is one write of the database.
#include <algorithm>
#include <mutex>
#include <utility>

#include "log/rocks_log.hpp"
#include "log/rocks_log_walk.hpp"

namespace muster::embedded {
namespace {

rocksdb::Slice to_slice(protocol::Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// RocksDB's statuses of building a batch in memory tell nothing: it has no limit.
class Writing {
 public:
  explicit Writing(RocksDatabase& database) : database_(database) {}

  void put(Family family, const std::string& key, const rocksdb::Slice& value) {
    batch_.Put(database_.family(family), key, value).PermitUncheckedError();
  }
  void remove(Family family, const std::string& key) {
    batch_.Delete(database_.family(family), key).PermitUncheckedError();
  }
  void remove_range(Family family, const std::string& first, const std::string& last) {
    batch_.DeleteRange(database_.family(family), first, last).PermitUncheckedError();
  }
  Stored<void> commit(bool sync) { return database_.write(batch_, sync); }

 private:
  RocksDatabase& database_;
  rocksdb::WriteBatch batch_;
};

}  // namespace

struct RocksLog::Raised {
  // Entries up to the first that stays are replaced by these, ascending.
  std::string first_kept;
  std::vector<BatchRange> rises;
  std::int64_t greatest_timestamp = no_timestamp;
};

Stored<void> RocksLog::append(LogAppend append) {
  // Nobody else changes the state.
  const State before = state();
  const BatchRange& range = append.range;
  const auto size = static_cast<std::int64_t>(append.batch.bytes.size());
  const bool rises = range.max_timestamp > before.greatest_timestamp;
  const std::string key = parts_.keys.at(range.base_offset);
  Writing writing(*parts_.database);
  writing.put(
      Family::index, key,
      to_value(IndexValue{range.last_offset, range.max_timestamp, size, before.end_position}));
  writing.put(Family::batches, key, to_slice(append.batch.bytes));
  if (rises) {
    writing.put(Family::times, parts_.keys.at_time(range.max_timestamp),
                to_value(range.base_offset));
  }
  if (append.producer != nullptr) {
    writing.put(Family::producers, parts_.keys.at(append.producer->producer_id),
                to_value(*append.producer));
  }
  if (auto done = writing.commit(append.sync); !done) return done;
  {
    const std::unique_lock lock(mutex_);
    state_.offsets.end = range.last_offset + 1;
    state_.end_position += size;
    if (rises) state_.greatest_timestamp = range.max_timestamp;
    recent_.push_back({std::move(append.batch), range});
  }
  parts_.recent->added(weak_from_this(), static_cast<std::size_t>(size));
  return {};
}

void RocksLog::drop_oldest() {
  Recent dropped;  // freed outside the lock
  const std::unique_lock lock(mutex_);
  if (recent_.empty()) return;
  dropped = std::move(recent_.front());
  recent_.pop_front();
}

Stored<void> RocksLog::forget(std::span<const std::int64_t> producer_ids) {
  Writing writing(*parts_.database);
  for (const std::int64_t id : producer_ids) writing.remove(Family::producers, parts_.keys.at(id));
  return writing.commit(false);
}

// Timestamps that rose over what is gone by `first_base`: those of the batches that stay, up to the
// first that rose over everything anyhow.
Stored<RocksLog::Raised> RocksLog::raise_timestamps(std::int64_t first_base) const {
  Raised raised;
  raised.first_kept = parts_.keys.end();
  std::int64_t kept_base = std::numeric_limits<std::int64_t>::max();
  const RocksWalk times = walk(Family::times);
  for (times->SeekToFirst(); times->Valid(); times->Next()) {
    const std::int64_t base = number_value(times.value()).value_or(-1);
    if (base < first_base) continue;
    raised.first_kept = times.key();
    kept_base = base;
    break;
  }
  if (!times->status().ok()) {
    return std::unexpected(parts_.database->unreadable(times->status().ToString()));
  }
  auto looked = for_each(first_base, [&](const Found& found) {
    const BatchRange& range = found.batch.range;
    if (range.base_offset >= kept_base) return false;
    if (range.max_timestamp > raised.greatest_timestamp) {
      raised.greatest_timestamp = range.max_timestamp;
      raised.rises.push_back(range);
    }
    return true;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  if (kept_base != std::numeric_limits<std::int64_t>::max()) {
    raised.greatest_timestamp = state().greatest_timestamp;
  }
  return raised;
}

Stored<void> RocksLog::trim(std::int64_t offset) {
  State after = state();
  if (offset <= after.offsets.start) return {};
  after.offsets.start = offset;
  std::int64_t first_base = after.offsets.end;
  after.first_position = after.end_position;
  auto looked = for_each(offset, [&](const Found& found) {
    first_base = found.batch.range.base_offset;
    after.first_position = found.position;
    return false;
  });
  if (!looked) return looked;
  const auto raised = raise_timestamps(first_base);
  if (!raised) return std::unexpected(raised.error());
  after.greatest_timestamp = raised->greatest_timestamp;

  Writing writing(*parts_.database);
  const std::string begin = parts_.keys.begin();
  writing.put(Family::metadata, parts_.keys.bounds(), to_value(after.offsets));
  writing.remove_range(Family::index, begin, parts_.keys.at(first_base));
  writing.remove_range(Family::batches, begin, parts_.keys.at(first_base));
  writing.remove_range(Family::times, begin, raised->first_kept);
  for (const BatchRange& range : raised->rises) {
    writing.put(Family::times, parts_.keys.at_time(range.max_timestamp),
                to_value(range.base_offset));
  }
  if (auto done = writing.commit(false); !done) return done;
  parts_.database->freed(begin, parts_.keys.at(first_base));
  std::deque<Recent> dropped;  // freed outside the lock
  const std::unique_lock lock(mutex_);
  state_ = after;
  while (!recent_.empty() && recent_.front().range.last_offset < offset) {
    dropped.push_back(std::move(recent_.front()));
    recent_.pop_front();
  }
  return {};
}

}  // namespace muster::embedded
