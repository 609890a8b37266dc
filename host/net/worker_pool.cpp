#include "net/worker_pool.hpp"

#include <algorithm>
#include <ranges>

namespace muster::host {

WorkerPool::WorkerPool(std::size_t workers) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < workers; ++i) add_worker();
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  std::deque<std::shared_ptr<Job>> dropped;
  std::map<std::thread::id, std::thread> joined;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(queue_);
    joined.swap(threads_);
  }
  changed_.notify_all();
  for (auto& [id, thread] : joined) thread.join();
}

std::size_t WorkerPool::written_off() const {
  const std::lock_guard lock(mutex_);
  return written_off_.size();
}

void WorkerPool::add_worker() {
  std::thread thread([this] { work(); });
  const std::thread::id id = thread.get_id();
  threads_.emplace(id, std::move(thread));
}

void WorkerPool::work() {
  const std::thread::id self = std::this_thread::get_id();
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (stopping_) return;
      job = std::move(queue_.front());
      queue_.pop_front();
      running_[job.get()] = self;
    }
    job->run();
    {
      const std::lock_guard lock(mutex_);
      running_.erase(job.get());
    }
    job.reset();  // may end things of a plugin: while the pool still knows this thread
    const std::lock_guard lock(mutex_);
    if (!comes_back(self)) return;
  }
}

// After a job. False: it was late, and another has its place; nobody waits for this thread then.
bool WorkerPool::comes_back(std::thread::id self) {
  const auto late = written_off_.find(self);
  if (late == written_off_.end()) return true;
  const bool replaced = late->second;
  written_off_.erase(late);
  if (!replaced) return true;
  const auto own = threads_.find(self);
  if (own != threads_.end()) {
    own->second.detach();
    threads_.erase(own);
  }
  return false;
}

void WorkerPool::run(std::shared_ptr<Job> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    queue_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void WorkerPool::abandon(const std::shared_ptr<Job>& job) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  std::erase(queue_, job);
  const auto found = running_.find(job.get());
  if (found == running_.end() || written_off_.contains(found->second)) return;
  const auto successors = std::ranges::count(written_off_ | std::views::values, true);
  const bool replaced = successors < static_cast<std::ptrdiff_t>(written_off_max);
  written_off_.emplace(found->second, replaced);
  if (replaced) add_worker();
}

}  // namespace muster::host
