#include "net/worker_pool.hpp"

#include <algorithm>

namespace muster::host {

WorkerPool::WorkerPool(std::size_t workers) {
  const std::lock_guard lock(shared_->mutex);
  for (std::size_t i = 0; i < workers; ++i) add_worker();
}

WorkerPool::~WorkerPool() {
  std::map<std::thread::id, std::thread> joined;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
    shared_->queue.clear();
    joined.swap(threads_);
    for (const auto& [id, off] : shared_->written_off) {
      const auto found = joined.find(id);
      if (found == joined.end()) continue;
      found->second.detach();
      joined.erase(found);
    }
  }
  shared_->changed.notify_all();
  for (auto& [id, thread] : joined) thread.join();
}

void WorkerPool::add_worker() {
  std::thread thread([shared = shared_] { work(shared); });
  const std::thread::id id = thread.get_id();
  threads_.emplace(id, std::move(thread));
}

void WorkerPool::work(const std::shared_ptr<Shared>& shared) {
  const std::thread::id self = std::this_thread::get_id();
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(shared->mutex);
      shared->changed.wait(lock, [&] { return shared->stopping || !shared->queue.empty(); });
      if (shared->stopping) return;
      job = std::move(shared->queue.front());
      shared->queue.pop_front();
      shared->running[job.get()] = self;
    }
    job->run();
    const std::lock_guard lock(shared->mutex);
    shared->running.erase(job.get());
    if (shared->written_off.contains(self)) return;
  }
}

void WorkerPool::run(std::shared_ptr<Job> job) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->stopping) return;
    shared_->queue.push_back(std::move(job));
  }
  shared_->changed.notify_one();
}

void WorkerPool::abandon(const std::shared_ptr<Job>& job) {
  const std::lock_guard lock(shared_->mutex);
  std::erase(shared_->queue, job);
  const auto found = shared_->running.find(job.get());
  if (found == shared_->running.end()) return;
  if (!shared_->written_off.emplace(found->second, true).second) return;
  if (shared_->written_off.size() <= written_off_max) add_worker();
}

}  // namespace muster::host
