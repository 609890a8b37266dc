// The port between the broker and whatever keeps its batches. Batches are whole, valid, and stamped
// with their offset and leader epoch; they are stored byte by byte as they come.
// Threads: append is serial per partition, everything else may run beside it.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <muster/protocol/types.hpp>

namespace muster::embedded {

// The bytes live as long as the owner does, wherever they are kept.
struct StoredBatch {
  std::shared_ptr<const void> owner;
  protocol::Bytes bytes;
};

// What a log indexes a batch by.
struct BatchRange {
  std::int64_t base_offset = 0;
  std::int64_t last_offset = 0;
  std::int64_t max_timestamp = -1;
};

struct LogOffsets {
  std::int64_t start = 0;
  std::int64_t end = 0;  // of the next batch
};

// Whole batches from the one that holds `offset`, below `upper_bound`, as many as fit.
struct ReadLimits {
  std::int64_t offset = 0;
  std::int64_t upper_bound = 0;
  std::int64_t max_bytes = 0;
  bool at_least_one = false;  // even if it does not fit
};

// A sentence for the log: the client learns KAFKA_STORAGE_ERROR.
struct StorageError {
  std::string what;
};

template <class T>
using Stored = std::expected<T, StorageError>;

class PartitionLog {
 public:
  virtual ~PartitionLog() = default;

  virtual LogOffsets offsets() const = 0;
  // The batch begins at offsets().end.
  virtual Stored<void> append(StoredBatch batch, const BatchRange& range) = 0;
  virtual Stored<std::vector<StoredBatch>> read(const ReadLimits& limits) const = 0;
  // The first batch with a maximum timestamp of at least this.
  virtual Stored<std::optional<StoredBatch>> first_reaching(std::int64_t timestamp) const = 0;
  // The first batch with the greatest maximum timestamp.
  virtual Stored<std::optional<StoredBatch>> newest_by_timestamp() const = 0;
};

class LogStorage {
 public:
  virtual ~LogStorage() = default;

  // Makes the log if there is none.
  virtual Stored<std::shared_ptr<PartitionLog>> open(const protocol::Uuid& topic,
                                                     std::int32_t partition) = 0;
  // Logs of the topic that are still held become empty or stay as they are, but cause no harm.
  virtual void remove(const protocol::Uuid& topic, std::int32_t partition_count) = 0;
};

}  // namespace muster::embedded
