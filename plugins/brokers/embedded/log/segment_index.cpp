// See segment_index.hpp.
#include "log/segment_index.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace muster::embedded {
namespace {

constexpr auto entry_size = static_cast<std::int64_t>(index_entry_size);
// Entries that are read at once.
constexpr std::int64_t page = 64;
using Page = std::array<std::uint8_t, page * index_entry_size>;

std::span<const std::uint8_t, index_entry_size> entry_of(const Page& entries, std::int64_t number) {
  return std::span(entries)
      .subspan(static_cast<std::size_t>(number) * index_entry_size)
      .first<index_entry_size>();
}

}  // namespace

std::unexpected<StorageError> SegmentIndex::damaged() const { return file_.damaged(); }

Stored<IndexEntry> SegmentIndex::at(std::int64_t number) const {
  IndexBytes bytes;
  if (auto done = file_.copy(number * entry_size, bytes); !done) {
    return std::unexpected(std::move(done.error()));
  }
  const auto entry = index_entry(bytes);
  if (!entry) return damaged();
  return *entry;
}

Stored<std::int64_t> SegmentIndex::first_not(
    const std::function<bool(const IndexEntry&)>& before) const {
  std::int64_t from = 0;
  for (std::int64_t to = entries_; from < to;) {
    const std::int64_t middle = from + (to - from) / 2;
    const auto entry = at(middle);
    if (!entry) return std::unexpected(entry.error());
    if (before(*entry)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

Stored<bool> SegmentIndex::walk(std::int64_t from,
                                const std::function<bool(const IndexEntry&)>& see) const {
  Page entries;
  // Who looks for one entry reads one.
  for (std::int64_t count = 1; from < entries_; from += std::exchange(count, page)) {
    count = std::min(count, entries_ - from);
    const auto bytes = std::span(entries).first(static_cast<std::size_t>(count) * index_entry_size);
    if (auto done = file_.copy(from * entry_size, bytes); !done) {
      return std::unexpected(std::move(done.error()));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const auto entry = index_entry(entry_of(entries, i));
      if (!entry) return damaged();
      if (!see(*entry)) return false;
    }
  }
  return true;
}

Stored<bool> SegmentIndex::walk_back(const std::function<bool(const IndexEntry&)>& see) const {
  Page entries;
  for (std::int64_t to = entries_; to > 0;) {
    const std::int64_t count = std::min(page, to);
    to -= count;
    const auto bytes = std::span(entries).first(static_cast<std::size_t>(count) * index_entry_size);
    if (auto done = file_.copy(to * entry_size, bytes); !done) {
      return std::unexpected(std::move(done.error()));
    }
    for (std::int64_t i = count; i-- > 0;) {
      const auto entry = index_entry(entry_of(entries, i));
      if (!entry) return damaged();
      if (!see(*entry)) return false;
    }
  }
  return true;
}

}  // namespace muster::embedded
