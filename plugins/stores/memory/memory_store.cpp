// Epochs, fencing and failure as muster.store/1 promises them; see memory_store.hpp.
#include "memory_store.hpp"

#include <algorithm>
#include <string_view>

#include <muster/sdk/text.hpp>

namespace muster::memory_store {
namespace {

std::string owned(sdk::Bytes bytes) { return std::string(sdk::as_text(bytes)); }

std::uint64_t size_of(const sdk::Records& records) {
  std::uint64_t size = 0;
  for (const sdk::Record record : records) {
    size += record.key.size() + (record.value ? record.value->size() : 0);
  }
  return size;
}

struct Loaded {
  std::uint64_t sequence;
  std::string key, value;
};

}  // namespace

void MemoryStore::open(const sdk::OpenSpace& request) {
  if (request.shards == 0) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "a space has no shards");
  Space* space = nullptr;
  {
    const std::unique_lock lock(mutex_);
    const auto known = spaces_.find(request.space);
    if (known == spaces_.end()) {
      auto made = std::make_unique<Space>(request.shards);
      space = spaces_.emplace(std::string(request.space), std::move(made)).first->second.get();
    } else {
      space = known->second.get();
    }
  }
  const auto count = static_cast<std::uint32_t>(space->shards.size());
  if (count != request.shards) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT,
                       sdk::text("space ", request.space, " was made with ", count,
                                 " shards, not with ", request.shards));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t epoch = 0;
    {
      Shard& shard = space->shards[i];
      const std::lock_guard lock(shard.mutex);
      epoch = ++shard.epoch;
    }
    request.events.gained({{request.space, i}, epoch});
  }
}

void MemoryStore::load(const sdk::ShardLife& life, sdk::RecordSink& out) {
  Shard& shard = this->shard(life.id);
  std::vector<Loaded> records;
  {
    const std::lock_guard lock(shard.mutex);
    if (life.epoch < shard.epoch) {
      throw sdk::Failure(MUSTER_FENCED, sdk::text("the shard is at epoch ", shard.epoch));
    }
    if (life.epoch > shard.epoch) {
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, sdk::text("nobody gained epoch ", life.epoch));
    }
    shard.failed = false;
    shard.next_sequence = 0;
    records.reserve(shard.live.size());
    for (const auto& [key, value] : shard.live) {
      records.push_back({value.sequence, key, value.bytes});
      // What was deleted last may have had a later one, but nobody can see that any more.
      shard.next_sequence = std::max(shard.next_sequence, value.sequence + 1);
    }
  }
  std::ranges::sort(records, {}, &Loaded::sequence);
  for (const Loaded& record : records) {
    out.record(record.sequence, sdk::as_bytes(record.key), sdk::as_bytes(record.value));
  }
}

void MemoryStore::commit(const sdk::Batch& batch, sdk::CommitDone done) {
  Shard& shard = this->shard(batch.life.id);
  muster_code code = MUSTER_OK;
  {
    const std::lock_guard lock(shard.mutex);
    code = apply(shard, batch);
  }
  // Outside the lock: whoever is told may commit again at once.
  done(code);
}

muster_code MemoryStore::apply(Shard& shard, const sdk::Batch& batch) {
  if (batch.life.epoch < shard.epoch) return MUSTER_FENCED;
  if (shard.failed) return MUSTER_UNAVAILABLE;
  const bool legal = batch.life.epoch == shard.epoch && batch.sequence >= shard.next_sequence &&
                     size_of(batch.records) <= max_batch_bytes;
  if (!legal) {
    shard.failed = true;
    return MUSTER_INVALID_ARGUMENT;
  }
  // Whatever is thrown from here on leaves half a batch behind.
  shard.failed = true;
  std::uint64_t sequence = batch.sequence;
  for (const sdk::Record record : batch.records) {
    if (record.value) {
      shard.live.insert_or_assign(owned(record.key), Value{sequence, owned(*record.value)});
    } else {
      shard.live.erase(owned(record.key));
    }
    ++sequence;
  }
  shard.next_sequence = sequence;
  shard.failed = false;
  return MUSTER_OK;
}

void MemoryStore::owner(const sdk::ShardId& id, sdk::BytesSink&) const { shard(id); }

MemoryStore::Shard& MemoryStore::shard(const sdk::ShardId& id) const {
  const std::shared_lock lock(mutex_);
  const auto space = spaces_.find(id.space);
  if (space == spaces_.end() || id.shard >= space->second->shards.size()) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT,
                       sdk::text("there is no shard ", id.shard, " in space ", id.space));
  }
  return space->second->shards[id.shard];
}

}  // namespace muster::memory_store
