// One partition's log: segments, and in the database where it starts. Threads: as the port says.
#pragma once

#include <limits>
#include <memory>
#include <shared_mutex>

#include "log/log.hpp"
#include "log/rocks_database.hpp"
#include "log/rocks_keys.hpp"
#include "log/segments.hpp"

namespace muster::embedded {

class DiskLog final : public PartitionLog {
 public:
  struct Parts {
    std::shared_ptr<RocksDatabase> database;
    std::shared_ptr<SegmentFiles> files;
    std::filesystem::path folder;  // of its segments
    PartitionKeys keys;
    std::string boot_id;  // of this run of the machine
  };

  static Stored<OpenedLog> open(Parts parts, std::int64_t producers_since_ms);

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

  // Guarded by mutex_.
  struct State {
    LogOffsets offsets;
    std::int64_t first_position = 0;
    std::int64_t end_position = 0;
    std::int64_t greatest_timestamp = no_timestamp;
  };

  explicit DiskLog(Parts parts)
      : parts_(std::move(parts)), segments_(parts_.files, parts_.folder) {}
  Stored<void> restore();
  Stored<std::vector<ProducerEntry>> restore_producers(std::int64_t since_ms) const;
  Stored<void> note_boot();
  State state() const;
  Stored<std::optional<IndexEntry>> first_of(std::int64_t offset) const;
  Stored<std::optional<StoredBatch>> load(const std::optional<IndexEntry>& entry) const;

  const Parts parts_;
  Segments segments_;
  bool boot_is_known_ = false;  // the database knows that it was written in this run; of append
  mutable std::shared_mutex mutex_;
  State state_;
};

}  // namespace muster::embedded
