// The entries in the index of one segment.
#pragma once

#include <functional>

#include "log/index_entry.hpp"
#include "log/segment_file.hpp"

namespace muster::embedded {

class SegmentIndex {
 public:
  SegmentIndex(const SegmentFile& file, std::int64_t entries) : file_(file), entries_(entries) {}

  Stored<IndexEntry> at(std::int64_t number) const;
  // Entries that are before come first; the number of entries where all are.
  Stored<std::int64_t> first_not(const std::function<bool(const IndexEntry&)>& before) const;
  // False: `see` gave false.
  Stored<bool> walk(std::int64_t from, const std::function<bool(const IndexEntry&)>& see) const;
  Stored<bool> walk_back(const std::function<bool(const IndexEntry&)>& see) const;

 private:
  std::unexpected<StorageError> damaged() const;

  const SegmentFile& file_;
  const std::int64_t entries_;
};

}  // namespace muster::embedded
