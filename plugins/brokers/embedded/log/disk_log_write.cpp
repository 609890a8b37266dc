// See disk_log.hpp. Appending and trimming: each is one write of the database, after the batch was
// written and before segments are removed.
#include <algorithm>
#include <mutex>
#include <utility>

#include "log/disk_log.hpp"
#include "log/disk_log_walk.hpp"
#include "log/rocks_writing.hpp"

namespace muster::embedded {

Stored<void> DiskLog::append(LogAppend append) {
  // Nobody else changes the state.
  const State before = state();
  const BatchRange& range = append.range;
  const auto size = static_cast<std::int64_t>(append.batch.bytes.size());
  if (auto done = segments_.append(before.end_position, append.batch.bytes); !done) {
    return std::unexpected(parts_.files->failed(std::move(done.error())));
  }
  parts_.files->went_well();
  if (append.sync) {
    // What a failed one left behind nobody knows.
    if (auto done = segments_.sync(); !done) {
      return std::unexpected(parts_.database->failed(done.error().what));
    }
  }
  const std::int64_t greatest = std::max(before.greatest_timestamp, range.max_timestamp);
  Writing writing(*parts_.database);
  writing.put(Family::index, parts_.keys.at(range.base_offset),
              to_value(IndexValue{range.last_offset, range.max_timestamp, size, before.end_position,
                                  greatest}));
  if (append.producer != nullptr) {
    writing.put(Family::producers, parts_.keys.at(append.producer->producer_id),
                to_value(*append.producer));
  }
  if (!boot_is_known_) writing.put(Family::metadata, parts_.keys.boot(), parts_.boot_id);
  if (auto done = writing.commit(append.sync); !done) return done;
  boot_is_known_ = true;
  const std::unique_lock lock(mutex_);
  state_.offsets.end = range.last_offset + 1;
  state_.end_position += size;
  state_.greatest_timestamp = greatest;
  return {};
}

Stored<void> DiskLog::forget(std::span<const std::int64_t> producer_ids) {
  Writing writing(*parts_.database);
  for (const std::int64_t id : producer_ids) writing.remove(Family::producers, parts_.keys.at(id));
  return writing.commit(false);
}

Stored<void> DiskLog::trim(std::int64_t offset) {
  State after = state();
  if (offset <= after.offsets.start) return {};
  after.offsets.start = offset;
  const auto first = first_of(offset);
  if (!first) return std::unexpected(first.error());
  const std::int64_t first_base = *first ? (*first)->batch.range.base_offset : after.offsets.end;
  after.first_position = *first ? (*first)->position : after.end_position;
  if (!*first) after.greatest_timestamp = no_timestamp;
  Writing writing(*parts_.database);
  const std::string begin = parts_.keys.begin();
  writing.put(Family::metadata, parts_.keys.bounds(), to_value(after.offsets));
  writing.remove_range(Family::index, begin, parts_.keys.at(first_base));
  if (auto done = writing.commit(false); !done) return done;
  parts_.database->freed(begin, parts_.keys.at(first_base));
  {
    const std::unique_lock lock(mutex_);
    state_ = after;
  }
  segments_.remove_all_but({after.first_position, after.end_position - after.first_position});
  return {};
}

}  // namespace muster::embedded
