// The store for tests and throw-away runs: every shard is a map in this process, gone with it.
// Owned by the host; callable from any thread, shards are independent of each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <muster/sdk/store.hpp>

namespace muster::memory_store {

class MemoryStore {
 public:
  // As the durable stores of this project have it, so that what runs here also runs there.
  static constexpr std::uint64_t max_batch_bytes = std::uint64_t{16} << 20;

  MemoryStore() = default;

  // A space that was opened before keeps its records; every shard starts a new life.
  void open(const sdk::OpenSpace& request);
  void load(const sdk::ShardLife& life, sdk::RecordSink& out);
  void commit(const sdk::Batch& batch, sdk::CommitDone done);
  // Nothing written: this host owns all.
  void owner(const sdk::ShardId& id, sdk::BytesSink& out) const;

 private:
  struct Value {
    std::uint64_t sequence = 0;
    std::string bytes;
  };
  struct Shard {
    std::mutex mutex;
    std::uint64_t epoch = 0;
    std::uint64_t next_sequence = 0;
    bool failed = false;
    std::unordered_map<std::string, Value> live;
  };
  struct Space {
    explicit Space(std::uint32_t count) : shards(count) {}
    std::vector<Shard> shards;
  };

  Shard& shard(const sdk::ShardId& id) const;
  static muster_code apply(Shard& shard, const sdk::Batch& batch);

  mutable std::shared_mutex mutex_;
  std::map<std::string, std::unique_ptr<Space>, std::less<>> spaces_;
};

}  // namespace muster::memory_store
