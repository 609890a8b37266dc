// Host-wide bytes of unanswered requests. Over the limit nobody is read until three quarters are
// left.
//
// Threads: [any].
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace muster::host {

class InFlight {
 public:
  explicit InFlight(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  void add(std::uint64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void remove(std::uint64_t bytes);
  bool full() const { return bytes_.load(std::memory_order_relaxed) > bytes_max_; }
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Calls resume once there is room, at once if there is.
  void when_room(std::function<void()> resume);

 private:
  bool has_room() const { return bytes() <= bytes_max_ / 4 * 3; }

  const std::uint64_t bytes_max_;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<bool> anyone_waits_{false};
  std::mutex mutex_;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace muster::host
