// Everything of the broker that lasts, in one database: its metadata and its logs, so that a topic
// and its records come and go in one write. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "log/recent_batches.hpp"
#include "log/rocks_database.hpp"
#include "log/rocks_keys.hpp"
#include "topics/metadata_storage.hpp"

namespace muster::embedded {

class RocksStorage final : public LogStorage, public MetadataStorage {
 public:
  // `new_cluster_id` is for a folder that has none yet.
  static Stored<std::shared_ptr<RocksStorage>> open(const std::filesystem::path& folder,
                                                    const protocol::Uuid& new_cluster_id);

  Stored<OpenedLog> open(const protocol::Uuid& topic, std::int32_t partition) override;
  StoragePlace place() const override;
  Stored<void> reclaim(std::atomic<bool>& cancelled) override {
    return database_->reclaim(cancelled);
  }

  std::string cluster_id() const override { return cluster_id_; }
  Stored<std::vector<StoredTopic>> topics() const override;
  Stored<void> apply(const StoredChange& change) override;
  Stored<std::int64_t> reserve_producer_ids(std::int64_t count) override;

 private:
  // What logs keep of their newest batches, in all.
  static constexpr std::size_t recent_bytes = std::size_t{8} << 20;

  explicit RocksStorage(std::shared_ptr<RocksDatabase> database)
      : database_(std::move(database)), recent_(std::make_shared<RecentBatches>(recent_bytes)) {}
  Stored<void> begin(const protocol::Uuid& new_cluster_id);

  const std::shared_ptr<RocksDatabase> database_;
  const std::shared_ptr<RecentBatches> recent_;
  std::string cluster_id_;
  std::mutex producer_ids_mutex_;
};

}  // namespace muster::embedded
