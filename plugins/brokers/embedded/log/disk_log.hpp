// One partition's log: its batches lie in segments, the database knows where. A batch is written
// before it is known, so that what is known is there, unless power was lost.
// Threads: as the port says.
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

  static Stored<OpenedLog> open(Parts parts);

  LogOffsets offsets() const override;
  std::int64_t bytes() const override;
  Stored<void> append(LogAppend append) override;
  Stored<void> forget(std::span<const std::int64_t> producer_ids) override;
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
  struct Found {
    IndexedBatch batch;
    std::int64_t position = 0;
    std::int64_t greatest_timestamp = 0;
  };

  explicit DiskLog(Parts parts)
      : parts_(std::move(parts)), segments_(parts_.files, parts_.folder) {}
  Stored<void> restore();
  Stored<void> restore_positions();
  Stored<std::vector<ProducerEntry>> restore_producers() const;
  // The first batch that is known and is not whole in its file.
  Stored<std::optional<std::int64_t>> first_damaged() const;
  Stored<void> cut_damage();
  Stored<void> cut_from(std::int64_t base_offset);

  RocksWalk walk(Family family) const;
  // Calls see(found) for the batches from the one that holds `offset` until it gives false.
  template <class See>
  Stored<void> for_each(std::int64_t offset, See see) const;
  Stored<std::optional<Found>> first_of(std::int64_t offset) const;
  // An offset before which no batch has a timestamp of at least this.
  Stored<std::int64_t> none_reaching_before(std::int64_t timestamp) const;
  Stored<std::optional<StoredBatch>> load(const std::optional<Found>& found) const;
  // Nothing is there: fine where it was trimmed or removed meanwhile.
  Stored<void> missing(std::int64_t position) const;
  State state() const;

  const Parts parts_;
  Segments segments_;
  bool boot_is_known_ = false;  // the database knows that it was written in this run; of append
  mutable std::shared_mutex mutex_;
  State state_;
};

}  // namespace muster::embedded
