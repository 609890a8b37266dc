// The port between the broker and whatever keeps its batches. Batches are whole, valid, and stamped
// with their offset and leader epoch; they are stored byte by byte as they come.
// Threads: append and trim are serial per partition, everything else may run beside them.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <muster/protocol/types.hpp>

#include "log/producer_entry.hpp"

namespace muster::embedded {

// The bytes live as long as the owner does, wherever they are kept.
struct StoredBatch {
  std::shared_ptr<const void> owner;
  protocol::Bytes bytes;
};

// A stretch of a log on its way out: in memory, or in a file that keeps it as long as the owner
// lives.
struct StoredPiece {
  std::shared_ptr<const void> owner;
  protocol::Bytes bytes;  // empty: in the file
  int file = -1;
  std::int64_t offset = 0;  // in the file
  std::int64_t size = 0;
};

// What a log indexes a batch by.
struct BatchRange {
  std::int64_t base_offset = 0;
  std::int64_t last_offset = 0;
  std::int64_t max_timestamp = -1;

  friend bool operator==(const BatchRange&, const BatchRange&) = default;
};

struct IndexedBatch {
  BatchRange range;
  std::int64_t size = 0;

  friend bool operator==(const IndexedBatch&, const IndexedBatch&) = default;
};

struct LogOffsets {
  std::int64_t start = 0;
  std::int64_t end = 0;  // of the next batch

  friend bool operator==(const LogOffsets&, const LogOffsets&) = default;
};

struct LogAppend {
  StoredBatch batch;
  BatchRange range;                         // begins at offsets().end
  const ProducerEntry* producer = nullptr;  // of its producer from now on; null: it has none
  bool sync = false;            // survives a loss of power, with all that was appended before
  std::int64_t written_ms = 0;  // by the broker's clock
  const KnownProducers* known = nullptr;  // before this batch; null: none
};

// Bytes from the batch that holds `offset`, below `upper_bound`. The last batch may be cut off, the
// first one not: nothing is given where it does not fit.
struct ReadLimits {
  std::int64_t offset = 0;
  std::int64_t upper_bound = 0;
  std::int64_t max_bytes = 0;
  bool at_least_one = false;  // even if it does not fit
};

// A sentence for the log, empty where it was said before: the client learns KAFKA_STORAGE_ERROR.
struct StorageError {
  std::string what;
};

template <class T>
using Stored = std::expected<T, StorageError>;

class PartitionLog {
 public:
  virtual ~PartitionLog() = default;

  virtual LogOffsets offsets() const = 0;
  // Of the batches in it.
  virtual std::int64_t bytes() const = 0;

  // All of it or nothing: a failed append changed nothing that anybody can see. A full disk takes
  // more once there is room; where a disk failed nothing more is taken until the storage is opened
  // anew, and only then it is known whether the last batch got there.
  virtual Stored<void> append(LogAppend append) = 0;
  // The log starts at `offset` from now on, which is not beyond its end; batches that lie below as
  // a whole are gone. Nothing happens where it starts there or later already.
  virtual Stored<void> trim(std::int64_t offset) = 0;

  // In pieces that follow each other; perhaps fewer than there are.
  virtual Stored<std::vector<StoredPiece>> read(const ReadLimits& limits) const = 0;
  // The batches from the one that holds `offset`, at most so many.
  virtual Stored<std::vector<IndexedBatch>> index(std::int64_t offset, std::size_t most) const = 0;
  // The first batch that reaches to `from` or beyond and has a maximum timestamp of at least this.
  virtual Stored<std::optional<StoredBatch>> first_reaching(std::int64_t timestamp,
                                                            std::int64_t from) const = 0;
  // Of those that reach to `from` or beyond the first with the greatest maximum timestamp.
  virtual Stored<std::optional<StoredBatch>> newest_by_timestamp(std::int64_t from) const = 0;
};

struct OpenedLog {
  std::shared_ptr<PartitionLog> log;
  std::vector<ProducerEntry> producers;
};

// Where logs are, for people.
struct StoragePlace {
  std::string folder;
  std::int64_t total_bytes = -1;  // of the volume; -1: not known
  std::int64_t usable_bytes = -1;
};

class LogStorage {
 public:
  virtual ~LogStorage() = default;

  // An empty log if there is none; nothing is written. That a topic is gone comes with the change
  // of the metadata; its logs that are still held cause no harm.
  // Producers that wrote nothing since then are left out.
  virtual Stored<OpenedLog> open(const protocol::Uuid& topic, std::int32_t partition,
                                 std::int64_t producers_since_ms) = 0;
  virtual StoragePlace place() const = 0;
};

}  // namespace muster::embedded
