// See disk_log.hpp. Opening: what the database knows, and whether the files have it.
#include <algorithm>
#include <limits>
#include <utility>

#include <muster/protocol/record_batch.hpp>

#include "log/disk_log.hpp"
#include "log/disk_log_walk.hpp"
#include "log/rocks_writing.hpp"

namespace muster::embedded {

Stored<OpenedLog> DiskLog::open(Parts parts) {
  const std::shared_ptr<DiskLog> log(new DiskLog(std::move(parts)));
  if (auto done = log->restore(); !done) return std::unexpected(std::move(done.error()));
  auto producers = log->restore_producers();
  if (!producers) return std::unexpected(std::move(producers.error()));
  return OpenedLog{log, *std::move(producers)};
}

// A process that ends, however it ends, leaves what it wrote to the system. A machine that ends may
// have kept what the database knows and lost what the files had.
Stored<void> DiskLog::restore() {
  if (auto done = restore_positions(); !done) return done;
  const auto boot = parts_.database->get(Family::metadata, parts_.keys.boot());
  if (!boot) return std::unexpected(boot.error());
  boot_is_known_ = *boot == parts_.boot_id;
  segments_.restore({state_.first_position, state_.end_position - state_.first_position});
  const bool empty = state_.end_position == state_.first_position;
  if (empty || (boot_is_known_ && segments_.reaches(state_.end_position))) return {};
  return cut_damage();
}

Stored<void> DiskLog::cut_damage() {
  const auto damaged = first_damaged();
  if (!damaged) return std::unexpected(damaged.error());
  if (!*damaged) return {};
  if (auto done = cut_from(**damaged); !done) return done;
  if (auto done = restore_positions(); !done) return done;
  segments_.restore({state_.first_position, state_.end_position - state_.first_position});
  return {};
}

Stored<void> DiskLog::restore_positions() {
  state_ = {};
  const auto bounds = parts_.database->get(Family::metadata, parts_.keys.bounds());
  if (!bounds) return std::unexpected(bounds.error());
  if (*bounds) {
    const auto stored = bounds_value(**bounds);
    if (!stored) return std::unexpected(parts_.database->unreadable("no bounds of a log"));
    state_.offsets = *stored;
  }
  const RocksWalk index = walk(Family::index);
  index->SeekToLast();
  if (!index->status().ok()) {
    return std::unexpected(parts_.database->unreadable(index->status().ToString()));
  }
  if (!index->Valid()) return {};
  const auto last = index_value(index.value());
  if (!last) return std::unexpected(parts_.database->unreadable("no entry of an index"));
  state_.offsets.end = last->last_offset + 1;
  state_.end_position = last->position + last->size;
  state_.greatest_timestamp = last->greatest_timestamp;
  const auto first = first_of(state_.offsets.start);
  if (!first) return std::unexpected(first.error());
  state_.first_position = *first ? (*first)->position : state_.end_position;
  return {};
}

// What power may have cost lies in the newest files; they are read from the end.
Stored<std::optional<std::int64_t>> DiskLog::first_damaged() const {
  const std::int64_t unsafe_from = segments_.unsafe_from();
  std::optional<std::int64_t> damaged;
  const RocksWalk index = walk(Family::index);
  for (index->SeekToLast(); index->Valid(); index->Prev()) {
    const auto value = index_value(index.value());
    if (!value) return std::unexpected(parts_.database->unreadable("no entry of an index"));
    if (value->position < unsafe_from) break;
    const std::int64_t base_offset = number_in(index.key());
    const auto bytes = segments_.copy({value->position, value->size});
    const auto batch = bytes && static_cast<std::int64_t>(bytes->bytes.size()) == value->size
                           ? protocol::RecordBatchView::first(bytes->bytes)
                           : std::unexpected(protocol::BatchFault::truncated);
    if (!batch || !batch->validate() || batch->base_offset() != base_offset) damaged = base_offset;
  }
  if (!index->status().ok()) {
    return std::unexpected(parts_.database->unreadable(index->status().ToString()));
  }
  return damaged;
}

// The log ends there. Producers are as if they had not sent what is gone.
Stored<void> DiskLog::cut_from(std::int64_t base_offset) {
  Writing writing(*parts_.database);
  writing.remove_range(Family::index, parts_.keys.at(base_offset), parts_.keys.end());
  const auto producers = restore_producers();
  if (!producers) return std::unexpected(producers.error());
  for (const ProducerEntry& entry : *producers) {
    const auto kept = entry.without_from(base_offset);
    if (kept == entry) continue;
    const std::string key = parts_.keys.at(entry.producer_id);
    if (kept.count == 0) {
      writing.remove(Family::producers, key);
    } else {
      writing.put(Family::producers, key, to_value(kept));
    }
  }
  const LogOffsets bounds{std::min(state_.offsets.start, base_offset), base_offset};
  writing.put(Family::metadata, parts_.keys.bounds(), to_value(bounds));
  return writing.commit(true);
}

Stored<std::vector<ProducerEntry>> DiskLog::restore_producers() const {
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

}  // namespace muster::embedded
