// One partition: its log, its producers, and the fetches that wait for its next batch. Lives as
// long as somebody holds it; a deleted topic's partitions are closed, not gone. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "log/log.hpp"
#include "partition/arrivals.hpp"
#include "partition/producer_states.hpp"
#include "records/batch_check.hpp"

namespace muster::embedded {

// How an append went, as a produce response says it.
struct Appended {
  protocol::Error error = protocol::Error::none;
  std::int64_t base_offset = -1;
  std::int64_t append_time_ms = -1;
  std::int64_t log_start_offset = -1;
  bool stored = false;  // not where it was refused, or a repeat
  std::string fault{};  // of the storage; for the log, not for the client
};

struct AppendTerms {
  std::int64_t now_ms = 0;
  // Records after which what was appended is forced to the disk.
  std::int64_t flush_messages = std::numeric_limits<std::int64_t>::max();
};

// How a trim went.
struct Trimmed {
  protocol::Error error = protocol::Error::none;
  std::int64_t start = -1;  // of the log from now on
  std::string fault{};      // of the storage; for the log, not for the client
};

class Partition {
 public:
  // Nobody else ever led it.
  static constexpr std::int32_t leader_epoch = 0;

  Partition(OpenedLog opened, std::int64_t producer_expiration_ms)
      : log_(std::move(opened.log)),
        producer_expiration_ms_(producer_expiration_ms),
        producers_(opened.producers) {}

  // Stamps and stores; repeats of an idempotent producer are answered as the first time.
  Appended append(const CheckedBatch& batch, const AppendTerms& terms);
  // Records below `offset` are gone from here on.
  Trimmed trim(std::int64_t offset);

  std::vector<ProducerStates::Summary> producers(std::int64_t now_ms);

  LogOffsets offsets() const { return log_->offsets(); }
  const PartitionLog& log() const { return *log_; }
  Arrivals& arrivals() { return arrivals_; }

  bool closed() const { return closed_.load(std::memory_order_acquire); }
  // Once this returns nothing is appended any more, so that the log can be removed. Then, or if it
  // could not be removed:
  void close();
  void announce_end() { arrivals_.announce_end(); }
  void reopen();

 private:
  Appended append_locked(const CheckedBatch& batch, const AppendTerms& terms);
  static Appended failed(StorageError error);
  void expire_producers(std::int64_t now_ms);

  const std::shared_ptr<PartitionLog> log_;
  const std::int64_t producer_expiration_ms_;
  Arrivals arrivals_;
  std::atomic<bool> closed_{false};

  std::mutex append_mutex_;
  ProducerStates producers_;
  std::int64_t next_expiry_ms_ = 0;
  std::int64_t unflushed_ = 0;  // records
};

// A client's opinion about the leader epoch, -1 for none.
inline protocol::Error leader_epoch_fault(std::int32_t current_leader_epoch) {
  if (current_leader_epoch == -1 || current_leader_epoch == Partition::leader_epoch) {
    return protocol::Error::none;
  }
  return current_leader_epoch < Partition::leader_epoch ? protocol::Error::fenced_leader_epoch
                                                        : protocol::Error::unknown_leader_epoch;
}

}  // namespace muster::embedded
