// See segments.hpp. What a process finds of the one before it.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include <muster/protocol/record_batch.hpp>

#include "log/segment_index.hpp"
#include "log/segments.hpp"

namespace muster::embedded {
namespace {

namespace fs = std::filesystem;

// Nothing: no file of a segment.
std::optional<std::int64_t> base_of(const fs::path& path) {
  const std::string name = path.stem().string();
  std::int64_t base = 0;
  const auto [rest, bad] = std::from_chars(name.data(), name.data() + name.size(), base);
  if (bad != std::errc() || rest != name.data() + name.size()) return std::nullopt;
  return base;
}

bool is_whole(const SegmentFile& log, const IndexEntry& entry, std::int64_t base) {
  const auto bytes = log.copy(entry.position - base, entry.size);
  if (!bytes) return false;
  const auto batch = protocol::RecordBatchView::first(bytes->bytes);
  return batch && batch->size() == bytes->bytes.size() && batch->validate() &&
         batch->base_offset() == entry.range.base_offset;
}

// How many entries from the first are whole, each where the one before it ends, with their batches.
std::int64_t count_whole(const SegmentIndex& index, const SegmentFile& log, std::int64_t entries,
                         std::int64_t base) {
  std::int64_t position = base;
  for (std::int64_t i = 0; i < entries; ++i) {
    const auto entry = index.at(i);
    if (!entry || entry->position != position || !is_whole(log, *entry, base)) return i;
    position = entry->end();
  }
  return entries;
}

// Only the end can be torn: what is there of an entry or of its batch.
std::int64_t count_to_end(const SegmentIndex& index, const SegmentFile& log, std::int64_t entries,
                          std::int64_t base) {
  const std::int64_t size = log.size();
  for (; entries > 0; --entries) {
    const auto last = index.at(entries - 1);
    if (last && last->position >= base && last->end() - base <= size) return entries;
  }
  return 0;
}

}  // namespace

std::vector<std::int64_t> Segments::bases_on_disk() const {
  std::set<std::int64_t> all, logs, indexes;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_, error)) {
    const auto base = base_of(file.path());
    if (!base) continue;
    all.insert(*base);
    const fs::path kind = file.path().extension();
    if (kind == ".log") logs.insert(*base);
    if (kind == ".index") indexes.insert(*base);
  }
  std::vector<std::int64_t> whole;
  std::ranges::set_intersection(logs, indexes, std::back_inserter(whole));
  // Parts of a segment that was begun or removed when the process ended.
  for (const std::int64_t base : all) {
    if (!std::ranges::binary_search(whole, base)) remove(base);
  }
  return whole;
}

Stored<std::optional<Segments::Segment>> Segments::look_at(std::int64_t base, Look look) {
  const auto log = files_->open(log_path(base));
  if (!log) return std::unexpected(log.error());
  const auto file = files_->open(index_path(base));
  if (!file) return std::unexpected(file.error());
  if (*log == nullptr || *file == nullptr) return std::nullopt;
  const std::int64_t size = (*file)->size();
  std::int64_t entries = size / static_cast<std::int64_t>(index_entry_size);
  const SegmentIndex index(**file, entries);
  if (look == Look::all) entries = count_whole(index, **log, entries, base);
  if (look == Look::end) entries = count_to_end(index, **log, entries, base);
  const auto known = entries * static_cast<std::int64_t>(index_entry_size);
  if (known != size) {
    if (auto done = (*file)->cut(known); !done) return std::unexpected(std::move(done.error()));
  }
  if (entries == 0) return std::nullopt;
  const auto first = index.at(0);
  if (!first) return std::unexpected(first.error());
  const auto last = index.at(entries - 1);
  if (!last) return std::unexpected(last.error());
  if (first->position != base) return (*file)->damaged();
  last_ = *last;
  return Segment{base, first->range.base_offset, entries};
}

Stored<void> Segments::restore(bool machine_ran_on) {
  const std::vector<std::int64_t> bases = bases_on_disk();
  const std::unique_lock lock(mutex_);
  segments_.clear();
  last_.reset();
  bool ended = false;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const bool newest = i + 1 == bases.size();
    const bool unsafe = !machine_ran_on && i + 2 >= bases.size();
    if (!ended) {
      auto segment = look_at(bases[i], unsafe ? Look::all : newest ? Look::end : Look::edges);
      if (!segment) return std::unexpected(std::move(segment.error()));
      if (*segment) segments_.push_back(**segment);
      const bool joins = newest || (*segment && last_->end() == bases[i + 1]);
      ended = !*segment || !joins;
      // Only what power may have cost may be missing.
      if (ended && !newest && !unsafe) return damaged(bases[i]);
      if (*segment) continue;
    }
    remove(bases[i]);
  }
  // A process before this one may have left two.
  for (std::size_t i = segments_.size() - std::min<std::size_t>(2, segments_.size());
       i < segments_.size(); ++i) {
    unsynced_.push_back(segments_[i].base);
  }
  return {};
}

}  // namespace muster::embedded
