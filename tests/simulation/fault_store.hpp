// A store that does what docs/border.md promises and no more: batches wait until the run says that
// they are durable or lost, ownership comes and goes, loads fail. Tests only; one thread.
#pragma once

#include <muster/abi/store.h>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace muster::simulation {

class FaultStore {
 public:
  FaultStore();
  FaultStore(const FaultStore&) = delete;
  FaultStore& operator=(const FaultStore&) = delete;

  const muster_store_v1* table() const { return &table_; }

  std::uint32_t shards() const { return static_cast<std::uint32_t>(shards_.size()); }
  bool has_waiting(std::uint32_t shard) const { return !shards_[shard].waiting.empty(); }
  bool owns(std::uint32_t shard) const { return shards_[shard].is_owned; }
  // How often it was loaded.
  std::uint64_t loads(std::uint32_t shard) const { return shards_[shard].loads; }
  // How the oldest waiting batch of the shard ends. `landed`: it is durable although it failed.
  void acknowledge(std::uint32_t shard);
  void fail(std::uint32_t shard, bool landed);
  // Of what waits, the first `landed` batches had become durable.
  void lose(std::uint32_t shard, std::size_t landed);
  void regain(std::uint32_t shard);

  std::function<bool()> at_once = [] { return false; };     // acknowledge before commit returns
  std::function<bool()> load_fails = [] { return false; };
  std::function<bool()> lost_while_loading = [] { return false; };

 private:
  struct Batch {
    std::vector<std::pair<std::string, std::optional<std::string>>> records;
    std::uint64_t sequence;
    void (*done)(void*, muster_code);
    void* owner;
    std::optional<muster_code> verdict;  // decided already, only not told
  };
  struct Kept {
    std::uint64_t sequence;
    std::string value;
  };
  struct Place {
    bool is_owned = false;
    bool is_broken = false;
    std::uint64_t epoch = 0;
    std::uint64_t loads = 0;
    std::deque<Batch> waiting;
    std::map<std::string, Kept> kept;
  };

  void open(std::uint32_t shards, const muster_store_events* events);
  muster_code load(std::uint32_t shard, std::uint64_t epoch, const muster_record_sink* out,
                   const muster_error_sink* error);
  void take(std::uint32_t shard, std::uint64_t epoch, Batch batch);
  static void land(Place& place, const Batch& batch);
  static void settle(Place& place, std::size_t landed, muster_code rest);

  muster_store_v1 table_{};
  const muster_store_events* events_ = nullptr;
  std::vector<Place> shards_;
};

}  // namespace muster::simulation
