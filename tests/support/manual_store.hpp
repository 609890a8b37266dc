// A store for tests: keeps what was committed, acknowledges when told to, fails when told to.
// Single-threaded.
#pragma once

#include "runtime/bytes.hpp"

#include <muster/abi/store.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muster::testing {

class ManualStore {
 public:
  ManualStore() {
    table_.struct_size = sizeof table_;
    table_.max_batch_bytes = 1u << 20;
    table_.open = [](void* self, muster_str space, std::uint32_t shards,
                     const muster_store_events* events, const muster_error_sink*) {
      auto& store = *static_cast<ManualStore*>(self);
      store.events_ = events;
      for (std::uint32_t i = 0; i < shards; ++i) {
        events->gained(events->self, space, i, ++store.epochs_[{text(space), i}]);
      }
      return muster_code{MUSTER_OK};
    };
    table_.load = [](void* self, muster_str space, std::uint32_t shard, std::uint64_t,
                     const muster_record_sink* out, const muster_error_sink* error) {
      return static_cast<ManualStore*>(self)->load({text(space), shard}, out, error);
    };
    table_.commit = [](void* self, muster_str space, std::uint32_t shard, std::uint64_t,
                       std::uint64_t sequence, const muster_record* records, std::uint32_t count,
                       void (*done)(void*, muster_code), void* owner) {
      Batch batch{{text(space), shard}, sequence, {}, done, owner};
      for (std::uint32_t i = 0; i < count; ++i) {
        std::optional<std::string> value;
        if (records[i].value.data != nullptr) value = text(records[i].value);
        batch.records.emplace_back(text(records[i].key), value);
      }
      static_cast<ManualStore*>(self)->take(std::move(batch));
    };
    table_.owner = [](void*, muster_str, std::uint32_t, const muster_bytes_sink*) {
      return muster_code{MUSTER_OK};
    };
  }
  ManualStore(const ManualStore&) = delete;
  ManualStore& operator=(const ManualStore&) = delete;

  muster_store_v1* table() { return &table_; }
  void lose(std::uint32_t shard) { events_->lost(events_->self, {"groups", 6}, shard); }
  // Acknowledges the oldest waiting batch.
  void acknowledge(muster_code code = MUSTER_OK) {
    Batch batch = std::move(waiting.front());
    waiting.pop_front();
    finish(batch, code);
  }

  bool automatic = true;         // acknowledge before commit returns
  bool overtaking = false;       // and, within the same call, what waits, before it
  muster_code next = MUSTER_OK;  // how the next automatic commit goes
  int fail_loads = 0;
  muster_code load_failure = MUSTER_UNAVAILABLE;  // how a failing load fails

  using Place = std::pair<std::string, std::uint32_t>;
  struct Batch {
    Place place;
    std::uint64_t sequence;
    std::vector<std::pair<std::string, std::optional<std::string>>> records;
    void (*done)(void*, muster_code);
    void* owner;
  };
  std::deque<Batch> waiting;
  std::map<Place, std::map<std::string, std::pair<std::uint64_t, std::string>>> kept;
  std::vector<std::uint64_t> committed;  // sequences, in order

 private:
  static std::string text(muster_str from) { return {from.data, from.size}; }
  static std::string text(muster_bytes from) {
    return {reinterpret_cast<const char*>(from.data), from.size};
  }

  void take(Batch batch) {
    if (overtaking) {
      while (!waiting.empty()) acknowledge();
    }
    if (automatic) {
      finish(batch, std::exchange(next, MUSTER_OK));
    } else {
      waiting.push_back(std::move(batch));
    }
  }
  void finish(Batch& batch, muster_code code) {
    if (code == MUSTER_OK && broken_[batch.place]) code = MUSTER_UNAVAILABLE;
    if (code == MUSTER_OK) {
      std::uint64_t sequence = batch.sequence;
      for (const auto& [key, value] : batch.records) {
        if (value) {
          kept[batch.place][key] = {sequence, *value};
        } else {
          kept[batch.place].erase(key);
        }
        committed.push_back(sequence++);
      }
    } else {
      broken_[batch.place] = true;
    }
    batch.done(batch.owner, code);
  }
  muster_code load(const Place& place, const muster_record_sink* out,
                   const muster_error_sink* error) {
    if (fail_loads > 0) {
      --fail_loads;
      constexpr std::string_view why = "the disk is away";
      error->error(error->self, {why.data(), why.size()});
      return load_failure;
    }
    broken_[place] = false;
    std::vector<std::pair<std::uint64_t, const std::string*>> order;
    for (const auto& [key, value] : kept[place]) order.emplace_back(value.first, &key);
    std::ranges::sort(order);
    for (const auto& [sequence, key] : order) {
      const std::string& value = kept[place][*key].second;
      out->record(out->self, sequence, bytes(*key), bytes(value));
    }
    return MUSTER_OK;
  }
  static muster_bytes bytes(const std::string& from) {
    return {reinterpret_cast<const std::uint8_t*>(from.data()), from.size()};
  }

  muster_store_v1 table_{};
  const muster_store_events* events_ = nullptr;
  std::map<Place, std::uint64_t> epochs_;
  std::map<Place, bool> broken_;
};

}  // namespace muster::testing
