// A shard space: the shards of one kind ("groups"), the protocols that live in them, and what they
// all share.
//
// Built at start, then immutable but for the shards themselves, which guard themselves.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <muster/abi/store.h>
#include "runtime/assignor_set.hpp"
#include "runtime/metadata.hpp"
#include "runtime/mirror.hpp"
#include "runtime/ports.hpp"
#include "runtime/protocol_set.hpp"

namespace muster::host {

class Shard;

struct ShardLimits {
  std::size_t uncommitted_bytes = 4u << 20;
  std::int64_t uncommitted_ms = 5000;
  std::int64_t assignor_deadline_ms = 30000;
  std::int64_t call_timeout_ms = 30000;
  std::int64_t reload_min_ms = 100;
  std::int64_t reload_max_ms = 10000;
};

// What the shards of a space share. Everything outlives them.
struct SpaceContext {
  std::string name;
  std::uint32_t shard_count = 0;
  const ProtocolSet* protocols = nullptr;
  const muster_store_v1* store = nullptr;
  void* store_self = nullptr;
  Clock* clock = nullptr;
  Executor* executor = nullptr;
  Caller* caller = nullptr;
  Observer* observer = nullptr;
  Metadata* metadata = nullptr;
  AssignorSet* assignors = nullptr;
  std::string internal_topic;  // Kafka's topic for this space
  Mirror* mirror = nullptr;    // NULL: commits are not shown anywhere
  std::atomic<std::uint64_t>* request_ids = nullptr;
  ShardLimits limits;
};

class Space {
 public:
  explicit Space(SpaceContext context);
  ~Space();
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  const SpaceContext& context() const { return context_; }
  Shard& shard(std::uint32_t index) { return *shards_[index]; }
  std::uint32_t size() const { return context_.shard_count; }
  // [control] Opens the store's space; shards load as the store hands them over. Empty: fine, else
  // why not.
  [[nodiscard]] std::string open();
  void metadata_changed(const std::shared_ptr<const MetadataChange>& change);
  // How many shards serve right now, or are held back by their limit of uncommitted batches.
  std::uint32_t active() const;
  std::uint32_t stalled() const;
  std::uint32_t offloads_waiting() const;

 private:
  template <class Of>
  std::uint32_t sum(Of of) const;

  SpaceContext context_;
  std::vector<std::unique_ptr<Shard>> shards_;
  muster_store_events events_{};
};

}  // namespace muster::host
