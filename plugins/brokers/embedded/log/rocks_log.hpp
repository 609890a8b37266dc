// One partition's log in the database. The newest batches are in memory too, so that reading the
// end of the log reads no disk. Threads: as the port says.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <shared_mutex>

#include "log/log.hpp"
#include "log/recent_batches.hpp"
#include "log/rocks_database.hpp"
#include "log/rocks_keys.hpp"

namespace muster::embedded {

class RocksLog final : public PartitionLog,
                       public RecentBatches::Holder,
                       public std::enable_shared_from_this<RocksLog> {
 public:
  struct Parts {
    std::shared_ptr<RocksDatabase> database;
    std::shared_ptr<RecentBatches> recent;
    PartitionKeys keys;
  };

  static Stored<OpenedLog> open(Parts parts);

  LogOffsets offsets() const override;
  std::int64_t bytes() const override;
  Stored<void> append(LogAppend append) override;
  Stored<void> forget(std::span<const std::int64_t> producer_ids) override;
  Stored<void> trim(std::int64_t offset) override;
  Stored<std::vector<StoredBatch>> read(const ReadLimits& limits) const override;
  Stored<std::vector<IndexedBatch>> index(std::int64_t offset, std::size_t most) const override;
  Stored<std::optional<StoredBatch>> first_reaching(std::int64_t timestamp,
                                                    std::int64_t from) const override;
  Stored<std::optional<StoredBatch>> newest_by_timestamp(std::int64_t from) const override;
  void drop_oldest() override;

 private:
  static constexpr std::int64_t no_timestamp = std::numeric_limits<std::int64_t>::min();

  struct Recent {
    StoredBatch batch;
    BatchRange range;
  };
  // Guarded by mutex_.
  struct State {
    LogOffsets offsets;
    std::int64_t first_position = 0;
    std::int64_t end_position = 0;
    std::int64_t greatest_timestamp = no_timestamp;  // of what is in `times`
  };
  struct Found {
    IndexedBatch batch;
    std::int64_t position = 0;
  };
  // What a trim does to the timestamps that can be searched.
  struct Raised;

  explicit RocksLog(Parts parts) : parts_(std::move(parts)) {}
  Stored<void> restore();
  Stored<std::vector<ProducerEntry>> restore_producers() const;

  RocksWalk walk(Family family) const;
  // Calls see(found) for the batches from the one that holds `offset` until it gives false.
  template <class See>
  Stored<void> for_each(std::int64_t offset, See see) const;
  Stored<std::optional<StoredBatch>> load(std::int64_t base_offset) const;
  Stored<std::vector<StoredBatch>> load(const std::vector<std::int64_t>& base_offsets) const;
  bool read_recent(const ReadLimits& limits, std::vector<StoredBatch>& batches) const;
  Stored<Raised> raise_timestamps(std::int64_t first_base) const;
  State state() const;

  const Parts parts_;
  mutable std::shared_mutex mutex_;
  State state_;
  std::deque<Recent> recent_;  // guarded by mutex_; the last ones of the log without a hole
};

}  // namespace muster::embedded
