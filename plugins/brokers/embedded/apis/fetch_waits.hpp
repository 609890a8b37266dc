// The fetches that wait for bytes: their deadlines, kept by one thread, and their connections. What
// must be read for those whose time is up is read by a second one, so that no disk delays the
// first. Split by connection, so that waiting does not make all fetches meet at one lock. Any
// thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace muster::embedded {

class ParkedFetch {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  ParkedFetch(std::uint64_t connection, Deadline deadline)
      : connection_(connection), deadline_(deadline) {}
  virtual ~ParkedFetch() = default;
  ParkedFetch(const ParkedFetch&) = delete;
  ParkedFetch& operator=(const ParkedFetch&) = delete;

  // Each answers unless that was done already.
  // Its time is up. Without reading a log, or else false: then the other one is called.
  virtual bool expire_empty() = 0;
  virtual void expire() = 0;   // with what there is
  virtual void abandon() = 0;  // nobody is left to read it

  std::uint64_t connection() const { return connection_; }
  Deadline deadline() const { return deadline_; }

 private:
  const std::uint64_t connection_;
  const Deadline deadline_;
};

class FetchWaits {
 public:
  FetchWaits();
  // Abandons those that still wait.
  ~FetchWaits();
  FetchWaits(const FetchWaits&) = delete;
  FetchWaits& operator=(const FetchWaits&) = delete;

  void park(std::shared_ptr<ParkedFetch> fetch);
  // One that was answered; harmless if it is not here.
  void remove(const ParkedFetch& fetch);
  void gone(std::uint64_t connection);

 private:
  using Deadline = ParkedFetch::Deadline;
  struct alignas(64) Shard {
    std::mutex mutex;
    std::map<std::pair<Deadline, const ParkedFetch*>, std::shared_ptr<ParkedFetch>> parked;
  };

  Shard& shard_of(std::uint64_t connection) { return shards_[connection % shards_.size()]; }
  void run();
  Deadline expire_due();
  void read_due();

  std::array<Shard, 8> shards_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopping_ = false;  // guarded by mutex_, as is the next
  bool look_again_ = false;
  std::atomic<Deadline> sleeps_until_;  // max while the thread is awake
  std::condition_variable read_;
  std::deque<std::shared_ptr<ParkedFetch>> to_read_;  // guarded by mutex_
  std::thread thread_;
  std::thread reader_;
};

}  // namespace muster::embedded
