// Threads for slow work: assignors, regexes, loading. A worker that hangs is written off and
// replaced.
//
// Threads: [any]. Jobs start in the order they were given.
#pragma once

#include "runtime/ports.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace muster::host {

class WorkerPool {
 public:
  // How many workers may hang before no more are replaced.
  static constexpr std::size_t written_off_max = 8;

  explicit WorkerPool(std::size_t workers);
  // Waits for running jobs, but not for workers that were written off: those are detached.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void run(std::shared_ptr<Job> job);
  void abandon(const std::shared_ptr<Job>& job);

 private:
  // Outlives the pool, for the sake of workers that were written off.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::shared_ptr<Job>> queue;
    std::map<const Job*, std::thread::id> running;
    std::map<std::thread::id, bool> written_off;
    bool stopping = false;
  };

  void add_worker();
  static void work(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::map<std::thread::id, std::thread> threads_;  // guarded by shared_->mutex
};

}  // namespace muster::host
