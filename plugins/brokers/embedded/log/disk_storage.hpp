// Everything of the broker that lasts: one database knows its metadata and its logs, so that a
// topic and its records come and go in one write; the batches lie in segments. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "log/rocks_database.hpp"
#include "log/rocks_keys.hpp"
#include "log/segment_file.hpp"
#include "topics/metadata_storage.hpp"

namespace muster::embedded {

class DiskStorage final : public LogStorage, public MetadataStorage {
 public:
  // `new_cluster_id` is for a folder that has none yet; `boot_id` is another one after every start
  // of the machine.
  static Stored<std::shared_ptr<DiskStorage>> open(const std::filesystem::path& folder,
                                                   const protocol::Uuid& new_cluster_id,
                                                   std::string boot_id = this_boot());
  static std::string this_boot();

  Stored<OpenedLog> open(const protocol::Uuid& topic, std::int32_t partition,
                         std::int64_t producers_since_ms) override;
  StoragePlace place() const override;

  std::string cluster_id() const override { return cluster_id_; }
  Stored<std::vector<StoredTopic>> topics() const override;
  Stored<void> apply(const StoredChange& change) override;
  Stored<std::int64_t> reserve_producer_ids(std::int64_t count) override;

 private:
  static constexpr std::size_t most_open_files = 512;

  DiskStorage(std::shared_ptr<RocksDatabase> database, std::string boot_id)
      : database_(std::move(database)),
        files_(std::make_shared<SegmentFiles>(most_open_files)),
        boot_id_(std::move(boot_id)) {}
  Stored<void> begin(const protocol::Uuid& new_cluster_id);
  // That were cut short.
  Stored<void> finish_removals();
  Stored<void> remove_segments(const std::vector<protocol::Uuid>& topics);
  std::filesystem::path segments_of(const protocol::Uuid& topic) const;

  const std::shared_ptr<RocksDatabase> database_;
  const std::shared_ptr<SegmentFiles> files_;
  const std::string boot_id_;
  std::string cluster_id_;
  std::mutex producer_ids_mutex_;
};

}  // namespace muster::embedded
