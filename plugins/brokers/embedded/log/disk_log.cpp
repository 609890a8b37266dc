// See disk_log.hpp.
#include "log/disk_log.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace muster::embedded {
namespace {

// Of one batch.
ProducerEntry producer_of(const IndexEntry& entry) {
  return {.producer_id = entry.producer_id,
          .epoch = entry.producer_epoch,
          .last_write_ms = entry.written_ms,
          .count = 1,
          .batches = {{{entry.first_sequence, last_sequence(entry), entry.range.base_offset,
                        entry.range.max_timestamp}}}};
}

// What is known of producers, found from the newest back.
class FoundProducers {
 public:
  void add_older(const ProducerEntry& older) {
    const auto [at, is_new] = producers_.try_emplace(older.producer_id, older);
    ProducerEntry& producer = at->second;
    if (is_new || producer.epoch != older.epoch) return;
    const std::size_t more = std::min(ProducerEntry::kept - producer.count, older.count);
    std::ranges::copy_backward(producer.batches.begin(), producer.batches.begin() + producer.count,
                               producer.batches.begin() + producer.count + more);
    std::ranges::copy(older.batches.begin() + (older.count - more),
                      older.batches.begin() + older.count, producer.batches.begin());
    producer.count += more;
  }

  std::vector<ProducerEntry> take() {
    std::vector<ProducerEntry> all;
    for (const auto& [id, producer] : producers_) all.push_back(producer);
    return all;
  }

 private:
  std::map<std::int64_t, ProducerEntry> producers_;
};

IndexEntry to_entry(const LogAppend& append, std::int64_t position, std::int64_t greatest) {
  IndexEntry entry{.range = append.range,
                   .greatest_timestamp = std::max(greatest, append.range.max_timestamp),
                   .position = position,
                   .size = static_cast<std::int32_t>(append.batch.bytes.size()),
                   .written_ms = append.written_ms};
  if (append.producer == nullptr) return entry;
  const ProducerEntry& producer = *append.producer;
  entry.producer_id = producer.producer_id;
  entry.producer_epoch = producer.epoch;
  entry.first_sequence = producer.batches[producer.count - 1].first_sequence;
  return entry;
}

}  // namespace

Stored<OpenedLog> DiskLog::open(Parts parts, std::int64_t producers_since_ms) {
  const std::shared_ptr<DiskLog> log(new DiskLog(std::move(parts)));
  if (auto done = log->restore(); !done) return std::unexpected(std::move(done.error()));
  auto producers = log->restore_producers(producers_since_ms);
  if (!producers) return std::unexpected(std::move(producers.error()));
  return OpenedLog{log, *std::move(producers)};
}

// A process that ends, however it ends, leaves what it wrote to the system. A machine that ends may
// have lost any of it.
Stored<void> DiskLog::restore() {
  const auto boot = parts_.database->get(parts_.keys.boot());
  if (!boot) return std::unexpected(boot.error());
  const auto bounds = parts_.database->get(parts_.keys.bounds());
  if (!bounds) return std::unexpected(bounds.error());
  boot_is_known_ = *boot == parts_.boot_id;
  if (auto done = segments_.restore(boot_is_known_); !done) return done;
  if (*bounds) {
    const auto stored = bounds_value(**bounds);
    if (!stored) return std::unexpected(parts_.database->unreadable("no bounds of a log"));
    state_.offsets = *stored;
  }
  const auto last = segments_.last();
  if (!last) return {};
  state_.offsets.end = last->range.last_offset + 1;
  state_.offsets.start = std::min(state_.offsets.start, state_.offsets.end);
  state_.end_position = last->end();
  state_.greatest_timestamp = last->greatest_timestamp;
  const auto first = first_of(state_.offsets.start);
  if (!first) return std::unexpected(first.error());
  state_.first_position = *first ? (*first)->position : state_.end_position;
  // What a trim left behind.
  segments_.remove_below(state_.first_position);
  return {};
}

Stored<std::vector<ProducerEntry>> DiskLog::restore_producers(std::int64_t since_ms) const {
  FoundProducers found;
  const auto before = segments_.for_each_backwards([&](const IndexEntry& entry) {
    if (entry.written_ms < since_ms) return false;
    if (entry.producer_id >= 0) found.add_older(producer_of(entry));
    return true;
  });
  if (!before) return std::unexpected(before.error());
  for (const ProducerEntry& producer : *before) {
    if (producer.last_write_ms >= since_ms) found.add_older(producer);
  }
  return found.take();
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

Stored<std::optional<IndexEntry>> DiskLog::first_of(std::int64_t offset) const {
  std::optional<IndexEntry> first;
  if (const auto last = segments_.last(); last && last->range.base_offset <= offset) {
    if (last->range.last_offset >= offset) first = last;
    return first;
  }
  auto looked = segments_.for_each(offset, [&](const IndexEntry& entry) {
    first = entry;
    return false;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return first;
}

Stored<std::vector<StoredPiece>> DiskLog::read(const ReadLimits& limits) const {
  const State now = state();
  const auto first = first_of(std::max(limits.offset, now.offsets.start));
  if (!first) return std::unexpected(first.error());
  std::vector<StoredPiece> pieces;
  if (!*first || (*first)->range.base_offset >= limits.upper_bound) return pieces;
  std::int64_t end = now.end_position;
  if (limits.upper_bound < now.offsets.end) {
    const auto beyond = first_of(limits.upper_bound);
    if (!beyond) return std::unexpected(beyond.error());
    if (*beyond) end = (*beyond)->position;
  }
  const std::int64_t size = (*first)->size;
  if (size > limits.max_bytes && !limits.at_least_one) return pieces;
  const std::int64_t position = (*first)->position;
  const std::int64_t wanted = std::min(std::max(limits.max_bytes, size), end - position);
  if (wanted <= 0) return pieces;
  auto piece = segments_.read(position, wanted);
  if (!piece) return std::unexpected(std::move(piece.error()));
  if (piece->size != 0) pieces.push_back(*std::move(piece));
  return pieces;
}

Stored<std::vector<IndexedBatch>> DiskLog::index(std::int64_t offset, std::size_t most) const {
  std::vector<IndexedBatch> batches;
  if (most == 0) return batches;
  const std::int64_t from = std::max(offset, offsets().start);
  auto looked = segments_.for_each(from, [&](const IndexEntry& entry) {
    batches.push_back({entry.range, entry.size});
    return batches.size() < most;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return batches;
}

// Nothing where it was trimmed or removed meanwhile.
Stored<std::optional<StoredBatch>> DiskLog::load(const std::optional<IndexEntry>& entry) const {
  if (!entry) return std::nullopt;
  auto batch = segments_.copy(*entry);
  if (!batch) return std::unexpected(std::move(batch.error()));
  if (batch->bytes.empty()) return std::nullopt;
  return *std::move(batch);
}

// What the greatest timestamps count may be gone, so each batch's own is looked at.
Stored<std::optional<StoredBatch>> DiskLog::first_reaching(std::int64_t timestamp,
                                                           std::int64_t from) const {
  const auto begin = segments_.none_reaching_before(timestamp);
  if (!begin) return std::unexpected(begin.error());
  std::optional<IndexEntry> reaching;
  const std::int64_t first = std::max({*begin, from, offsets().start});
  auto looked = segments_.for_each(first, [&](const IndexEntry& entry) {
    if (entry.range.max_timestamp >= timestamp) reaching = entry;
    return !reaching;
  });
  if (!looked) return std::unexpected(std::move(looked.error()));
  return load(reaching);
}

Stored<std::optional<StoredBatch>> DiskLog::newest_by_timestamp(std::int64_t from) const {
  const State now = state();
  const auto begin = segments_.none_reaching_before(now.greatest_timestamp);
  if (!begin) return std::unexpected(begin.error());
  std::optional<IndexEntry> newest;
  std::int64_t first = std::max({*begin, from, now.offsets.start});
  const auto look = [&](const IndexEntry& entry) {
    const std::int64_t timestamp = entry.range.max_timestamp;
    if (!newest || timestamp > newest->range.max_timestamp) newest = entry;
    return timestamp < now.greatest_timestamp;
  };
  auto looked = segments_.for_each(first, look);
  if (!looked) return std::unexpected(std::move(looked.error()));
  return load(newest);
}

// So that the next process in this run believes what it finds.
Stored<void> DiskLog::note_boot() {
  if (boot_is_known_) return {};
  if (auto done = parts_.database->put(parts_.keys.boot(), parts_.boot_id, false); !done) {
    return done;
  }
  boot_is_known_ = true;
  return {};
}

Stored<void> DiskLog::append(LogAppend append) {
  if (parts_.files->writing_is_over()) return std::unexpected(StorageError{});
  if (auto done = note_boot(); !done) return done;
  // Nobody else changes the state.
  const State before = state();
  const IndexEntry entry = to_entry(append, before.end_position, before.greatest_timestamp);
  if (auto done = segments_.append(entry, append.batch.bytes, append.known); !done) {
    return std::unexpected(parts_.files->failed(std::move(done.error())));
  }
  parts_.files->went_well();
  if (append.sync) {
    if (auto done = segments_.sync(); !done) {
      return std::unexpected(parts_.files->end_writing(std::move(done.error())));
    }
  }
  const std::unique_lock lock(mutex_);
  state_.offsets.end = entry.range.last_offset + 1;
  state_.end_position = entry.end();
  state_.greatest_timestamp = entry.greatest_timestamp;
  return {};
}

Stored<void> DiskLog::trim(std::int64_t offset) {
  State after = state();
  if (offset <= after.offsets.start) return {};
  after.offsets.start = offset;
  const auto first = first_of(offset);
  if (!first) return std::unexpected(first.error());
  after.first_position = *first ? (*first)->position : after.end_position;
  if (!*first) after.greatest_timestamp = no_timestamp;
  auto done = parts_.database->put(parts_.keys.bounds(), to_value(after.offsets), false);
  if (!done) return done;
  {
    const std::unique_lock lock(mutex_);
    state_ = after;
  }
  segments_.remove_below(after.first_position);
  return {};
}

}  // namespace muster::embedded
