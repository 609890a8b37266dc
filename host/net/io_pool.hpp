// The threads that serve connections, their timer, and the worker pool: the runtime's Executor in
// life.
//
// Threads: [any] once started. Asio stays behind Impl, so that few files see it.
#pragma once

#include "runtime/ports.hpp"

#include <functional>
#include <memory>

namespace muster::host {

struct IoContexts;  // io_contexts.hpp

class IoPool : public Executor {
 public:
  IoPool(std::size_t threads, std::size_t workers, Clock& clock);
  ~IoPool() override;
  IoPool(const IoPool&) = delete;
  IoPool& operator=(const IoPool&) = delete;

  void start();
  // Ends all threads; what is queued is dropped. Returns when nobody is inside a plugin any more,
  // which may be never.
  void stop();
  // Workers that hang right now.
  std::size_t workers_written_off() const;
  // Called, on one of the threads, when the process did not run for `ms` milliseconds.
  void on_pause(std::function<void(std::int64_t ms)> callback);
  IoContexts& contexts();

  void post(Task task) override;
  void run(std::shared_ptr<Job> job) override;
  void abandon(const std::shared_ptr<Job>& job) override;
  void wake_at(Shard& shard, std::int64_t monotonic_ms) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class SystemClock : public Clock {
 public:
  std::int64_t wall_ms() override;
  std::int64_t monotonic_ms() override;
};

}  // namespace muster::host
