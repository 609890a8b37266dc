// See segments.hpp. Reading and appending.
#include "log/segments.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include <muster/sdk/text.hpp>

#include "log/producer_snapshot.hpp"
#include "log/segment_index.hpp"

namespace muster::embedded {
namespace {

namespace fs = std::filesystem;

// So that retention gives room back soon, and a start after a loss of power has little to check.
constexpr std::int64_t segment_bytes = std::int64_t{64} << 20;
constexpr std::size_t name_digits = 20;

// A file that was made is there after a loss of power once its folder is synced.
Stored<void> sync_folder(const std::string& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool good = opened >= 0 && ::fsync(opened) == 0;
  if (opened >= 0) ::close(opened);
  if (good) return {};
  return std::unexpected(
      StorageError{sdk::text("the folder ", folder, " could not be brought to disk")});
}

std::string digits(std::int64_t number) {
  std::string text = std::to_string(number);
  return text.insert(0, name_digits - std::min(name_digits, text.size()), '0');
}

}  // namespace

std::string Segments::log_path(std::int64_t base) const {
  return folder_ + '/' + digits(base) + ".log";
}

std::string Segments::index_path(std::int64_t base) const {
  return folder_ + '/' + digits(base) + ".index";
}

std::string Segments::producers_path(std::int64_t base) const {
  return folder_ + '/' + digits(base) + ".producers";
}

std::vector<Segments::Segment> Segments::segments() const {
  const std::shared_lock lock(mutex_);
  return segments_;
}

std::optional<Segments::Segment> Segments::segment_for(std::int64_t offset) const {
  const std::shared_lock lock(mutex_);
  if (segments_.empty()) return std::nullopt;
  auto at = std::ranges::upper_bound(segments_, offset, {}, &Segment::first_offset);
  if (at != segments_.begin()) --at;
  return *at;
}

std::optional<Segments::Segment> Segments::segment_behind(std::int64_t base) const {
  const std::shared_lock lock(mutex_);
  const auto at = std::ranges::upper_bound(segments_, base, {}, &Segment::base);
  if (at == segments_.end()) return std::nullopt;
  return *at;
}

std::optional<IndexEntry> Segments::last() const {
  const std::shared_lock lock(mutex_);
  return last_;
}

Stored<SegmentFilePtr> Segments::open(const Segment& segment, const std::string& path) const {
  auto file = files_->open(path);
  if (!file || *file != nullptr) return file;
  const std::shared_lock lock(mutex_);
  std::error_code error;
  // Trimmed meanwhile, or removed with its topic.
  if (std::ranges::find(segments_, segment.base, &Segment::base) == segments_.end()) return file;
  if (!fs::exists(folder_, error)) return file;
  return std::unexpected(StorageError{sdk::text(path, " is missing")});
}

std::unexpected<StorageError> Segments::damaged(std::int64_t base) const {
  return std::unexpected(StorageError{sdk::text(index_path(base), " is damaged")});
}

Stored<void> Segments::begin_segment(const IndexEntry& entry, const KnownProducers* known) {
  while (unsynced_.size() > 1) {
    if (auto done = sync_segment(unsynced_.front()); !done) return done;
    unsynced_.erase(unsynced_.begin());
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  const auto log = files_->create(log_path(entry.position));
  if (!log) return std::unexpected(log.error());
  const auto index = files_->create(index_path(entry.position));
  if (!index) return std::unexpected(index.error());
  if (auto done = write_producers(entry.position, known); !done) return done;
  last_log_ = *log;
  last_index_ = *index;
  unsynced_.push_back(entry.position);
  folder_unsynced_ = true;
  const std::unique_lock lock(mutex_);
  segments_.push_back({entry.position, entry.range.base_offset, 0});
  return {};
}

Stored<void> Segments::write_producers(std::int64_t base, const KnownProducers* known) {
  const auto file = files_->create(producers_path(base));
  if (!file) return std::unexpected(file.error());
  // One that did not come to an end may have left more.
  if (auto done = (*file)->cut(0); !done) return done;
  return (*file)->write(0, to_bytes(known ? known->entries() : std::vector<ProducerEntry>{}));
}

Stored<std::optional<std::vector<ProducerEntry>>> Segments::producers_before(
    std::int64_t base) const {
  const auto file = files_->open(producers_path(base));
  if (!file) return std::unexpected(file.error());
  if (*file == nullptr) return std::nullopt;
  const auto stored = (*file)->copy(0, (*file)->size());
  if (!stored) return std::unexpected(stored.error());
  return producer_snapshot(stored->bytes);
}

Stored<SegmentFilePtr> Segments::reopen(std::weak_ptr<const SegmentFile>& kept, PathOf path,
                                        std::int64_t base) const {
  if (auto open = kept.lock()) return open;
  auto file = files_->create((this->*path)(base));
  if (file) kept = *file;
  return file;
}

Stored<void> Segments::append(const IndexEntry& entry, protocol::Bytes batch,
                              const KnownProducers* known) {
  // Nobody else changes the segments.
  if (segments_.empty() || entry.position - segments_.back().base >= segment_bytes) {
    if (auto done = begin_segment(entry, known); !done) return done;
  }
  const Segment segment = segments_.back();
  const auto log = reopen(last_log_, &Segments::log_path, segment.base);
  if (!log) return std::unexpected(log.error());
  const auto index = reopen(last_index_, &Segments::index_path, segment.base);
  if (!index) return std::unexpected(index.error());
  if (unsynced_.empty() || unsynced_.back() != segment.base) unsynced_.push_back(segment.base);
  if (auto done = (*log)->write(entry.position - segment.base, batch); !done) return done;
  const IndexBytes bytes = to_bytes(entry);
  const auto at = segment.entries * static_cast<std::int64_t>(index_entry_size);
  if (auto done = (*index)->write(at, bytes); !done) return done;
  const std::unique_lock lock(mutex_);
  ++segments_.back().entries;
  last_ = entry;
  return {};
}

Stored<void> Segments::sync_segment(std::int64_t base) {
  // The index last: what it knows is there.
  for (const std::string& path : {log_path(base), producers_path(base), index_path(base)}) {
    const auto file = files_->open(path);
    if (!file) return std::unexpected(file.error());
    if (*file == nullptr) continue;
    if (auto done = (*file)->sync(); !done) return done;
  }
  return {};
}

Stored<void> Segments::sync() {
  for (const std::int64_t base : unsynced_) {
    if (auto done = sync_segment(base); !done) return done;
  }
  unsynced_.clear();
  if (!folder_unsynced_) return {};
  auto done = sync_folder(folder_);
  folder_unsynced_ = !done;
  return done;
}

Stored<void> Segments::for_each(std::int64_t offset, const See& see) const {
  for (auto segment = segment_for(offset); segment; segment = segment_behind(segment->base)) {
    const auto file = open(*segment, index_path(segment->base));
    if (!file) return std::unexpected(file.error());
    if (*file == nullptr) continue;
    const SegmentIndex index(**file, segment->entries);
    auto at =
        index.first_not([&](const IndexEntry& entry) { return entry.range.last_offset < offset; });
    if (!at) return std::unexpected(std::move(at.error()));
    auto went_on = index.walk(*at, see);
    if (!went_on) return std::unexpected(std::move(went_on.error()));
    if (!*went_on) return {};
  }
  return {};
}

Stored<std::vector<ProducerEntry>> Segments::for_each_backwards(const See& see) const {
  const std::vector<Segment> all = segments();
  for (auto segment = all.rbegin(); segment != all.rend(); ++segment) {
    const auto file = open(*segment, index_path(segment->base));
    if (!file) return std::unexpected(file.error());
    if (*file == nullptr) continue;
    auto went_on = SegmentIndex(**file, segment->entries).walk_back(see);
    if (!went_on) return std::unexpected(std::move(went_on.error()));
    if (!*went_on) return {};
    auto known = producers_before(segment->base);
    if (!known) return std::unexpected(std::move(known.error()));
    if (*known) return **std::move(known);
  }
  return {};
}

Stored<std::int64_t> Segments::none_reaching_before(std::int64_t timestamp) const {
  std::int64_t offset = 0;
  for (const Segment& segment : segments()) {
    const auto file = open(segment, index_path(segment.base));
    if (!file) return std::unexpected(file.error());
    if (*file == nullptr) continue;
    const SegmentIndex index(**file, segment.entries);
    const auto last = index.at(segment.entries - 1);
    if (!last) return std::unexpected(last.error());
    offset = last->range.last_offset + 1;
    if (last->greatest_timestamp < timestamp) continue;
    auto at = index.first_not(
        [&](const IndexEntry& entry) { return entry.greatest_timestamp < timestamp; });
    if (!at) return std::unexpected(std::move(at.error()));
    const auto first = index.at(*at);
    if (!first) return std::unexpected(first.error());
    return first->range.base_offset;
  }
  return offset;
}

Segments::Place Segments::place_of(std::int64_t position) const {
  const std::shared_lock lock(mutex_);
  const auto next = std::ranges::upper_bound(segments_, position, {}, &Segment::base);
  if (next == segments_.begin()) return {};
  const std::int64_t room =
      next == segments_.end() ? std::numeric_limits<std::int64_t>::max() : next->base - position;
  return {*std::prev(next), position - std::prev(next)->base, room};
}

Stored<StoredPiece> Segments::read(std::int64_t position, std::int64_t size) const {
  const Place place = place_of(position);
  if (place.room == 0) return StoredPiece{};
  const auto file = open(place.segment, log_path(place.segment.base));
  if (!file) return std::unexpected(file.error());
  if (*file == nullptr) return StoredPiece{};
  return (*file)->read(place.offset, std::min(size, place.room));
}

Stored<StoredBatch> Segments::copy(const IndexEntry& entry) const {
  const Place place = place_of(entry.position);
  if (place.room == 0) return StoredBatch{};
  const auto file = open(place.segment, log_path(place.segment.base));
  if (!file) return std::unexpected(file.error());
  if (*file == nullptr) return StoredBatch{};
  return (*file)->copy(place.offset, entry.size);
}

void Segments::remove(std::int64_t base) const {
  // The index last: where it is, a segment is known.
  files_->remove(log_path(base));
  files_->remove(producers_path(base));
  files_->remove(index_path(base));
}

void Segments::remove_below(std::int64_t position) {
  std::vector<Segment> gone;
  {
    const std::unique_lock lock(mutex_);
    const std::int64_t end = last_ ? last_->end() : 0;
    auto kept = segments_.begin();
    for (; kept != segments_.end(); ++kept) {
      const auto next = std::next(kept);
      if ((next == segments_.end() ? end : next->base) > position) break;
    }
    gone.assign(segments_.begin(), kept);
    segments_.erase(segments_.begin(), kept);
  }
  for (const Segment& segment : gone) {
    std::erase(unsynced_, segment.base);
    remove(segment.base);
  }
}

}  // namespace muster::embedded
