// What the runtime needs from the world. The core has no socket, thread, clock or random of its
// own, so that tests/simulation can run it single-threaded from one seed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "runtime/answer.hpp"

namespace muster::host {

using Task = std::move_only_function<void()>;

// [any] Time. Wall time goes into records, monotonic time drives timers.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t wall_ms() = 0;
  virtual std::int64_t monotonic_ms() = 0;
};

// One piece of slow work. A job past its deadline is abandoned: its worker is written off and its
// result ignored.
class Job {
 public:
  virtual ~Job() = default;
  virtual void run() = 0;
};

class Shard;

// [any] Where work goes that must not run here and now.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void post(Task task) = 0;                // soon, on a thread that serves connections
  virtual void run(std::shared_ptr<Job> job) = 0;  // on the pool
  virtual void abandon(const std::shared_ptr<Job>&) = 0;  // its worker hangs: replace it
  // Calls shard.wake() at the monotonic time or later. A later call with an earlier time wins.
  virtual void wake_at(Shard& shard, std::int64_t monotonic_ms) = 0;
};

// [any] A request that a plugin or the host makes through the host's own dispatch.
struct InternalCall {
  std::int16_t api_key = 0;
  std::int16_t version = 0;
  Buffer body;
  std::string principal;
  std::string client_id;
  std::string client_host;
};

class Caller {
 public:
  virtual ~Caller() = default;
  virtual void call(InternalCall call, ReplyTo to) = 0;
  virtual void close_connection(std::uint64_t connection) = 0;
};

// [any] Events worth telling. Implementations count and log; none may throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void misbehaved(std::string_view plugin, std::string_view slot, std::string_view why) = 0;
  virtual void log(int level, std::string_view message) = 0;  // MUSTER_LOG_...
};

}  // namespace muster::host
