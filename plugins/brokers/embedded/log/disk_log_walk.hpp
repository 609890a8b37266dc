// The one walk over a log's index that reading and writing share. Only for disk_log*.cpp.
#pragma once

#include "log/disk_log.hpp"

namespace muster::embedded {

template <class See>
Stored<void> DiskLog::for_each(std::int64_t offset, See see) const {
  const RocksWalk index = walk(Family::index);
  // The batch that holds the offset may begin before it.
  index->SeekForPrev(parts_.keys.at(offset));
  if (!index->Valid() && index->status().ok()) index->SeekToFirst();
  for (; index->Valid(); index->Next()) {
    const auto value = index_value(index.value());
    if (!value) return std::unexpected(parts_.database->unreadable("no entry of an index"));
    if (value->last_offset < offset) continue;
    const BatchRange range{number_in(index.key()), value->last_offset, value->max_timestamp};
    const Found found{{range, value->size}, value->position, value->greatest_timestamp};
    if (!see(found)) return {};
  }
  if (!index->status().ok()) {
    return std::unexpected(parts_.database->unreadable(index->status().ToString()));
  }
  return {};
}

}  // namespace muster::embedded
