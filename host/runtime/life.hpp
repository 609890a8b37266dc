// One life of a shard: from a load to the next failure or loss. What a plugin sees of its shard
// hangs on it.
//
// Threads: built by a worker during the load, then only touched in the shard's turn.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "runtime/decision.hpp"
#include "runtime/group_directory.hpp"
#include "runtime/metadata.hpp"
#include "runtime/space.hpp"

namespace muster::host {

class Life;

// How a load went; `why` says it where it did not go well.
struct LoadResult {
  muster_code code = MUSTER_OK;
  std::string why;
};

// One protocol in one shard: its object and the tables it was given.
struct ProtocolShard {
  ProtocolShard(Life& life, std::uint32_t index, const Protocol& protocol, std::uint32_t shard);
  ~ProtocolShard();
  ProtocolShard(const ProtocolShard&) = delete;
  ProtocolShard& operator=(const ProtocolShard&) = delete;

  Life& life;
  const std::uint32_t index;
  const Protocol& protocol;
  DecisionPort port;
  muster_shard context{};
  void* object = nullptr;
};

// A group id whose owner a batch changed.
struct OwnerChange {
  std::string group;
  int before;
  int after;
};

class Life {
 public:
  Life(const SpaceContext& space, std::uint32_t shard, std::uint64_t number, std::uint64_t epoch);
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  // [worker] Opens the protocols' objects and replays what the store has.
  [[nodiscard]] LoadResult load();

  // Applies one record or note. Empty: fine; else why the shard cannot go on.
  [[nodiscard]] std::string replay(std::uint64_t sequence, int plugin, bool note,
                                   const muster_record& record);
  // The protocol that a record key belongs to; GroupDirectory::nobody if no loaded one claims it.
  int owner_of(muster_bytes key) const;

  void begin_event() { now_known_ = false; }
  std::int64_t now_ms();

  const SpaceContext& space;
  const std::uint32_t shard;
  const std::uint64_t number;
  const std::uint64_t epoch;
  std::uint64_t next_sequence = 1;
  std::uint64_t unknown_records = 0;
  std::set<std::int16_t> unknown_types;
  SnapshotPtr snapshot;
  Decision decision;
  bool deciding = false;  // find_group hands out the owner's decision only then
  GroupDirectory directory;
  std::vector<OwnerChange> owner_changes;
  std::vector<std::unique_ptr<ProtocolShard>> protocols;

 private:
  [[nodiscard]] std::string open_protocols();
  void keep_unknown(const muster_record& record);
  void own_unknown();
  void set_directory_table();
  muster_code own(std::string_view group);
  void disown(std::string_view group);

  std::int64_t now_ms_ = 0;
  bool now_known_ = false;
  int replaying_ = GroupDirectory::nobody;
  std::set<std::string, std::less<>> unknown_ids_;
  std::string conflict_;
  muster_directory directory_table_{};
};

// Fills a shard context's slots; they read the life.
void bind_shard_context(ProtocolShard& protocol, std::uint32_t shard);

}  // namespace muster::host
