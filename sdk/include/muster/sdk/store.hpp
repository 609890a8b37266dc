// muster.store/1 in C++. An author's class has
//   static constexpr std::uint64_t max_batch_bytes;
//   void open(const OpenSpace&);                               // [control]
//   void load(const ShardLife&, RecordSink&);                  // [worker]
//   void commit(const Batch&, CommitDone);                     // [any] not twice at once a shard
//   void owner(const ShardId&, BytesSink&) const;              // [pure]
#pragma once

#include <muster/abi/store.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <muster/sdk/instance.hpp>
#include <muster/sdk/record.hpp>
#include <muster/sdk/request.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

struct ShardId {
  std::string_view space;
  std::uint32_t shard;
};

// A shard while this process owns it at this epoch.
struct ShardLife {
  ShardId id;
  std::uint64_t epoch;
};

// Who owns what; callable from any thread until the store is destroyed.
class StoreEvents {
 public:
  explicit StoreEvents(const muster_store_events* table) : table_(table) {}

  void gained(const ShardLife& life) const {
    offered(table_, &muster_store_events::gained)(table_->self, to_str(life.id.space),
                                                  life.id.shard, life.epoch);
  }
  void lost(const ShardId& id) const {
    offered(table_, &muster_store_events::lost)(table_->self, to_str(id.space), id.shard);
  }

 private:
  const muster_store_events* table_;
};

struct OpenSpace {
  std::string_view space;
  std::uint32_t shards;
  StoreEvents events;
};

// Record i has sequence + i. Views, good until commit returns.
struct Batch {
  ShardLife life;
  std::uint64_t sequence;
  Records records;
};

// Says once how a commit went, from any thread; one that is dropped says MUSTER_INTERNAL.
class CommitDone {
 public:
  using Done = void (*)(void* owner, muster_code code);

  CommitDone(Done done, void* owner) : done_(done), owner_(owner) {}
  CommitDone(CommitDone&& other) noexcept
      : done_(std::exchange(other.done_, nullptr)), owner_(other.owner_) {}
  CommitDone& operator=(CommitDone&& other) noexcept {
    std::swap(done_, other.done_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~CommitDone() { (*this)(MUSTER_INTERNAL); }

  void operator()(muster_code code) noexcept {
    if (const Done done = std::exchange(done_, nullptr)) done(owner_, code);
  }

 private:
  Done done_;
  void* owner_;
};

template <class Store>
struct StoreSlots {
  using Self = Instance<Store>;

  static muster_code open(void* self, muster_str space, std::uint32_t shards,
                          const muster_store_events* events,
                          const muster_error_sink* error) noexcept {
    return guarded_code(Complaint{error}, [&] {
      return Self::of(self).open(OpenSpace{to_view(space), shards, StoreEvents{events}});
    });
  }

  static muster_code load(void* self, muster_str space, std::uint32_t shard, std::uint64_t epoch,
                          const muster_record_sink* out, const muster_error_sink* error) noexcept {
    return guarded_code(Complaint{error}, [&] {
      RecordSink sink{out};
      return Self::of(self).load(ShardLife{{to_view(space), shard}, epoch}, sink);
    });
  }

  static void commit(void* self, muster_str space, std::uint32_t shard, std::uint64_t epoch,
                     std::uint64_t sequence, const muster_record* records, std::uint32_t count,
                     CommitDone::Done done, void* owner) noexcept {
    guarded_void(Self::complaint(self, "commit"), [&] {
      CommitDone answer{done, owner};
      const Batch batch{{{to_view(space), shard}, epoch}, sequence, Records{records, count}};
      Self::of(self).commit(batch, std::move(answer));
    });
  }

  static muster_code owner(void* self, muster_str space, std::uint32_t shard,
                           const muster_bytes_sink* out) noexcept {
    return guarded_code(Self::complaint(self, "owner"), [&] {
      BytesSink sink{out};
      return std::as_const(Self::of(self)).owner(ShardId{to_view(space), shard}, sink);
    });
  }
};

template <class Store>
inline constexpr muster_store_v1 store_table = {
    .struct_size = sizeof(muster_store_v1),
    .max_batch_bytes = Store::max_batch_bytes,
    .create = &create_instance<Store>,
    .destroy = &destroy_instance<Store>,
    .open = &StoreSlots<Store>::open,
    .load = &StoreSlots<Store>::load,
    .commit = &StoreSlots<Store>::commit,
    .owner = &StoreSlots<Store>::owner,
};

}  // namespace muster::sdk
