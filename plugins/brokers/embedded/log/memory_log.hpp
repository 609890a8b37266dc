// The log in memory: batches in the order they came, gone with the process.
#pragma once

#include <deque>
#include <limits>
#include <shared_mutex>

#include "log.hpp"

namespace muster::embedded {

class MemoryLog : public PartitionLog {
 public:
  LogOffsets offsets() const override;
  std::int64_t bytes() const override;
  Stored<void> append(LogAppend append) override;
  Stored<void> trim(std::int64_t offset) override;
  Stored<std::vector<StoredPiece>> read(const ReadLimits& limits) const override;
  Stored<std::vector<IndexedBatch>> index(std::int64_t offset, std::size_t most) const override;
  Stored<std::optional<StoredBatch>> first_reaching(std::int64_t timestamp,
                                                    std::int64_t from) const override;
  Stored<std::optional<StoredBatch>> newest_by_timestamp(std::int64_t from) const override;

 private:
  static constexpr std::int64_t no_timestamp = std::numeric_limits<std::int64_t>::min();

  struct Entry {
    StoredBatch batch;
    BatchRange range;
    // The greatest timestamp up to and with this batch: never falls, so it can be searched.
    std::int64_t greatest_timestamp = no_timestamp;
  };
  using Entries = std::deque<Entry>;

  Entries::const_iterator holding(std::int64_t offset) const;
  void raise_timestamps();

  mutable std::shared_mutex mutex_;
  Entries entries_;
  LogOffsets offsets_;
  std::int64_t bytes_ = 0;
};

// The logs live in the partitions that hold them.
class MemoryLogs final : public LogStorage {
 public:
  Stored<OpenedLog> open(const protocol::Uuid& topic, std::int32_t partition,
                         std::int64_t producers_since_ms) override;
  StoragePlace place() const override { return {.folder = "memory"}; }
};

}  // namespace muster::embedded
