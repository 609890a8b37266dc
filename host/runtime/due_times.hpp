// Keyed deadlines, kept lazily: a renewal changes a number, not the heap. One shard's; not
// thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace muster::host {

inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

// Key must be hashable by Hash; Lookup may be a cheaper form of it (transparent hash and equality).
template <class Key, class Hash, class Equal>
class DueTimes {
 public:
  template <class Lookup>
  void arm(const Lookup& key, std::int64_t at) {
    auto found = entries_.find(key);
    if (found == entries_.end()) found = entries_.emplace(Key(key), Entry{}).first;
    Entry& entry = found->second;
    entry.deadline = at;
    // Only an earlier deadline than the heap knows needs a heap entry of its own.
    if (at < entry.in_heap) push(found->first, entry, at);
  }

  template <class Lookup>
  void cancel(const Lookup& key) {
    const auto found = entries_.find(key);
    if (found != entries_.end()) found->second.deadline = no_deadline;
  }

  template <class Lookup>
  bool armed(const Lookup& key) const {
    const auto found = entries_.find(key);
    return found != entries_.end() && found->second.deadline != no_deadline;
  }

  void clear() {
    entries_.clear();
    heap_.clear();
  }

  // The time at which `pop_due` may have something: never later than the earliest deadline.
  std::int64_t next() const { return heap_.empty() ? no_deadline : heap_.front().at; }

  // One key that is due, forgotten by this call; empty: nothing is due.
  std::optional<Key> pop_due(std::int64_t now) {
    while (!heap_.empty() && heap_.front().at <= now) {
      const Slot top = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      const auto found = entries_.find(*top.key);
      Entry& entry = found->second;
      --entry.slots;
      if (entry.in_heap == top.at) entry.in_heap = no_deadline;
      std::optional<Key> due;
      if (entry.deadline <= now) {
        entry.deadline = no_deadline;
        due.emplace(*top.key);
      }
      if (entry.deadline != no_deadline) {
        if (entry.in_heap == no_deadline) push(found->first, entry, entry.deadline);
      } else if (entry.slots == 0) {
        entries_.erase(found);
      }
      if (due) return due;
    }
    return std::nullopt;
  }

  std::size_t size() const { return entries_.size(); }

  // Moves every deadline: the process was stopped for that long.
  void push_back(std::int64_t by) {
    for (Slot& slot : heap_) slot.at += by;  // by the same time: it stays a heap
    for (auto& [key, entry] : entries_) {
      if (entry.deadline != no_deadline) entry.deadline += by;
      if (entry.in_heap != no_deadline) entry.in_heap += by;
    }
  }

 private:
  struct Entry {
    std::int64_t deadline = no_deadline;
    std::int64_t in_heap = no_deadline;  // the earliest slot of this key in the heap
    std::uint32_t slots = 0;
  };
  struct Slot {
    std::int64_t at;
    std::uint64_t order;  // equal times fire in arming order: simulation needs one order
    const Key* key;
  };
  static bool later(const Slot& a, const Slot& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }

  void push(const Key& key, Entry& entry, std::int64_t at) {
    entry.in_heap = at;
    ++entry.slots;
    heap_.push_back({at, ++order_, &key});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  std::unordered_map<Key, Entry, Hash, Equal> entries_;  // node-based: keys keep their address
  std::vector<Slot> heap_;
  std::uint64_t order_ = 0;
};

}  // namespace muster::host
