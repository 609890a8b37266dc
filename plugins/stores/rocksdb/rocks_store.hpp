// The durable store: every shard's live records in one RocksDB in the host's data folder, each with
// the sequence of its last commit. Owned by the host; callable from any thread.
#pragma once

#include <rocksdb/db.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include <muster/sdk/host.hpp>
#include <muster/sdk/options.hpp>
#include <muster/sdk/store.hpp>

#include "commit_queue.hpp"
#include "keys.hpp"

namespace muster::rocks_store {

class RocksStore {
 public:
  static constexpr std::uint64_t max_batch_bytes = std::uint64_t{16} << 20;
  static constexpr muster_option options[] = {
      sdk::string_option("store.sync")
          .by_default("always")
          .one_of("always,os")
          .doc("When a commit counts as durable: 'always' once it is on disk, 'os' once the "
               "operating system has it, which outlives this process but not a power failure"),
  };

  RocksStore(const sdk::Host& host, const sdk::Options& values);

  // A space that was opened before keeps its records; every shard starts a new life.
  void open(const sdk::OpenSpace& request);
  void load(const sdk::ShardLife& life, sdk::RecordSink& out);
  void commit(const sdk::Batch& batch, sdk::CommitDone done);
  // Nothing written: this host owns all.
  void owner(const sdk::ShardId& id, sdk::BytesSink& out) const;

 private:
  using Space = std::vector<CommitState>;

  void check_format();
  std::optional<SpaceInfo> read_info(std::string_view space) const;
  Space& space(std::string_view name, std::uint32_t shards);
  CommitState& shard(const sdk::ShardId& id) const;
  void report(const rocksdb::Status& status) const;

  const sdk::Host host_;
  const std::string folder_;
  std::unique_ptr<rocksdb::DB> database_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::unique_ptr<Space>, std::less<>> spaces_;
  // Last, so that what is under way is written before anything else is gone.
  std::unique_ptr<CommitQueue> commits_;
};

}  // namespace muster::rocks_store
