// Cuts logs by their topics' retention.ms and retention.bytes, batch by batch from the oldest.
// Has a thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "log/log.hpp"
#include "topics/topic_config.hpp"
#include "topics/topic_registry.hpp"

namespace muster::embedded {

// Where the log should start by now, which may be where it does.
Stored<std::int64_t> retained_from(const PartitionLog& log, const TopicConfig& config,
                                   std::int64_t now_ms);

struct RetentionParts {
  sdk::Host host;
  TopicRegistry& topics;
  std::int64_t check_interval_ms = 0;
};

class Retention {
 public:
  explicit Retention(RetentionParts parts);
  ~Retention();
  Retention(const Retention&) = delete;
  Retention& operator=(const Retention&) = delete;

 private:
  void run();
  void check();
  void cut(const Topic& topic, Partition& partition);

  RetentionParts parts_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
  std::thread thread_;
};

}  // namespace muster::embedded
