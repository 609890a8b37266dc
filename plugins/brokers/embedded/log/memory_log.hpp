// The log in memory: batches in the order they came, gone with the process.
#pragma once

#include <deque>
#include <shared_mutex>

#include "log.hpp"

namespace muster::embedded {

class MemoryLog final : public PartitionLog {
 public:
  LogOffsets offsets() const override;
  Stored<void> append(StoredBatch batch, const BatchRange& range) override;
  Stored<std::vector<StoredBatch>> read(const ReadLimits& limits) const override;
  Stored<std::optional<StoredBatch>> first_reaching(std::int64_t timestamp) const override;
  Stored<std::optional<StoredBatch>> newest_by_timestamp() const override;

 private:
  struct Entry {
    StoredBatch batch;
    BatchRange range;
    // The greatest timestamp up to and with this batch: never falls, so it can be searched.
    std::int64_t greatest_timestamp = -1;
  };

  std::optional<StoredBatch> search(std::int64_t timestamp) const;

  mutable std::shared_mutex mutex_;
  std::deque<Entry> entries_;
  LogOffsets offsets_;
};

// The logs live in the partitions that hold them.
class MemoryLogs final : public LogStorage {
 public:
  Stored<std::shared_ptr<PartitionLog>> open(const protocol::Uuid& topic,
                                             std::int32_t partition) override;
  void remove(const protocol::Uuid& topic, std::int32_t partition_count) override;
};

}  // namespace muster::embedded
