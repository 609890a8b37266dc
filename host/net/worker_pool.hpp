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
  // How many workers may hang at one time before no more are replaced.
  static constexpr std::size_t written_off_max = 8;

  explicit WorkerPool(std::size_t workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void run(std::shared_ptr<Job> job);
  void abandon(const std::shared_ptr<Job>& job);
  // Starts no more jobs and waits for those that run, written off or not: what they run in goes
  // next. How long that may take is the caller's business.
  void stop();
  // Workers that are past their deadline right now.
  std::size_t written_off() const;

 private:
  void add_worker();
  void work();
  bool comes_back(std::thread::id self);

  mutable std::mutex mutex_;  // guards all of this
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> queue_;
  std::map<const Job*, std::thread::id> running_;
  std::map<std::thread::id, bool> written_off_;  // whether somebody took its place
  std::map<std::thread::id, std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace muster::host
