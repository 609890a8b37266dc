// The store with faults.
#include "fault_store.hpp"

#include <algorithm>

namespace muster::simulation {
namespace {

constexpr muster_str space{"groups", 6};

std::string text(muster_bytes from) {
  return {reinterpret_cast<const char*>(from.data), from.size};
}

muster_bytes bytes(const std::string& from) {
  return {reinterpret_cast<const std::uint8_t*>(from.data()), from.size()};
}

muster_code refuse(const muster_error_sink* error, const std::string& why) {
  error->error(error->self, {why.data(), why.size()});
  return MUSTER_UNAVAILABLE;
}

}  // namespace

FaultStore::FaultStore() {
  table_.struct_size = sizeof table_;
  table_.max_batch_bytes = 1U << 20;
  table_.open = [](void* self, muster_str, std::uint32_t shards, const muster_store_events* events,
                   const muster_error_sink*) {
    static_cast<FaultStore*>(self)->open(shards, events);
    return muster_code{MUSTER_OK};
  };
  table_.load = [](void* self, muster_str, std::uint32_t shard, std::uint64_t epoch,
                   const muster_record_sink* out, const muster_error_sink* error) {
    return static_cast<FaultStore*>(self)->load(shard, epoch, out, error);
  };
  table_.commit = [](void* self, muster_str, std::uint32_t shard, std::uint64_t epoch,
                     std::uint64_t sequence, const muster_record* records, std::uint32_t count,
                     void (*done)(void*, muster_code), void* owner) {
    Batch batch{{}, sequence, done, owner, {}};
    for (std::uint32_t i = 0; i < count; ++i) {
      std::optional<std::string> value;
      if (records[i].value.data != nullptr) value = text(records[i].value);
      batch.records.emplace_back(text(records[i].key), std::move(value));
    }
    static_cast<FaultStore*>(self)->take(shard, epoch, std::move(batch));
  };
  table_.owner = [](void* self, muster_str, std::uint32_t shard, const muster_bytes_sink* out) {
    static const std::string elsewhere = "elsewhere:9092";
    if (!static_cast<FaultStore*>(self)->owns(shard)) out->bytes(out->self, bytes(elsewhere));
    return muster_code{MUSTER_OK};
  };
}

void FaultStore::open(std::uint32_t shards, const muster_store_events* events) {
  events_ = events;
  shards_ = std::vector<Place>(shards);
  for (std::uint32_t i = 0; i < shards; ++i) regain(i);
}

void FaultStore::land(Place& place, const Batch& batch) {
  std::uint64_t sequence = batch.sequence;
  for (const auto& [key, value] : batch.records) {
    if (value) {
      place.kept[key] = {sequence, *value};
    } else {
      place.kept.erase(key);
    }
    ++sequence;
  }
}

// What was in flight has landed or never will.
void FaultStore::settle(Place& place, std::size_t landed, muster_code rest) {
  for (Batch& batch : place.waiting) {
    if (batch.verdict) continue;
    batch.verdict = rest;
    if (place.is_broken || landed == 0) continue;
    --landed;
    land(place, batch);
    batch.verdict = MUSTER_OK;
  }
}

void FaultStore::acknowledge(std::uint32_t shard) {
  Place& place = shards_[shard];
  Batch batch = std::move(place.waiting.front());
  place.waiting.pop_front();
  if (!batch.verdict) {
    batch.verdict = place.is_broken ? MUSTER_UNAVAILABLE : MUSTER_OK;
    if (*batch.verdict == MUSTER_OK) land(place, batch);
  }
  batch.done(batch.owner, *batch.verdict);
}

void FaultStore::fail(std::uint32_t shard, bool landed) {
  Place& place = shards_[shard];
  Batch& batch = place.waiting.front();
  if (!batch.verdict) {
    if (landed && !place.is_broken) land(place, batch);
    batch.verdict = MUSTER_UNAVAILABLE;
    place.is_broken = true;
  }
  acknowledge(shard);
}

void FaultStore::lose(std::uint32_t shard, std::size_t landed) {
  Place& place = shards_[shard];
  settle(place, landed, MUSTER_FENCED);
  place.is_owned = false;
  ++place.epoch;  // somebody else's
  events_->lost(events_->self, space, shard);
}

void FaultStore::regain(std::uint32_t shard) {
  shards_[shard].is_owned = true;
  events_->gained(events_->self, space, shard, ++shards_[shard].epoch);
}

muster_code FaultStore::load(std::uint32_t shard, std::uint64_t epoch,
                             const muster_record_sink* out, const muster_error_sink* error) {
  Place& place = shards_[shard];
  if (epoch != place.epoch || !place.is_owned) {
    refuse(error, "the shard has another owner");
    return MUSTER_FENCED;
  }
  ++shards_[shard].loads;
  if (load_fails()) return refuse(error, "the disk is away");
  settle(place, 0, MUSTER_UNAVAILABLE);
  place.is_broken = false;
  std::vector<std::pair<std::uint64_t, const std::string*>> order;
  for (const auto& [key, kept] : place.kept) order.emplace_back(kept.sequence, &key);
  std::ranges::sort(order);
  for (const auto& [sequence, key] : order) {
    out->record(out->self, sequence, bytes(*key), bytes(place.kept.at(*key).value));
  }
  if (lost_while_loading()) lose(shard, 0);
  return MUSTER_OK;
}

void FaultStore::take(std::uint32_t shard, std::uint64_t epoch, Batch batch) {
  Place& place = shards_[shard];
  if (epoch != place.epoch || !place.is_owned) batch.verdict = MUSTER_FENCED;
  place.waiting.push_back(std::move(batch));
  if (place.waiting.size() == 1 && at_once()) acknowledge(shard);
}

}  // namespace muster::simulation
