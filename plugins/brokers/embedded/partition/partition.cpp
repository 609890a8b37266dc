// See partition.hpp.
#include "partition.hpp"

#include <utility>

namespace muster::embedded {
namespace {

using protocol::Error;

constexpr std::int64_t expiry_interval_ms = 600'000;

ProducedBatch to_produced(const protocol::RecordBatchView& batch, std::int64_t first_offset) {
  return {batch.producer_id(),   batch.producer_epoch(), batch.base_sequence(),
          batch.last_sequence(), first_offset,           batch.max_timestamp()};
}

}  // namespace

Appended Partition::append(const CheckedBatch& batch, std::int64_t now_ms) {
  Appended outcome;
  {
    const std::lock_guard lock(append_mutex_);
    outcome = append_locked(batch, now_ms);
  }
  // Outside the lock: whoever waits answers on this thread.
  if (outcome.stored) arrivals_.announce(static_cast<std::int64_t>(batch.size));
  return outcome;
}

Appended Partition::append_locked(const CheckedBatch& batch, std::int64_t now_ms) {
  if (closed()) return {.error = Error::unknown_topic_or_partition};
  Appended outcome;
  const LogOffsets offsets = log_->offsets();
  const auto view = batch.view();
  const ProducedBatch produced = to_produced(view, offsets.end);
  outcome.log_start_offset = offsets.start;
  if (view.has_producer_id()) {
    expire_producers(now_ms);
    const auto verdict = producers_.judge(produced);
    if (!verdict) {
      outcome.error = verdict.error();
      return outcome;
    }
    if (const auto* repeat = std::get_if<ProducerStates::Duplicate>(&*verdict)) {
      outcome.base_offset = repeat->first_offset;
      outcome.append_time_ms = repeat->timestamp;
      return outcome;
    }
  }
  protocol::stamp({batch.bytes.get(), batch.size}, offsets.end, leader_epoch);
  const StoredBatch stored{batch.bytes, protocol::Bytes{batch.bytes.get(), batch.size}};
  const BatchRange range{offsets.end, offsets.end + view.last_offset_delta(), view.max_timestamp()};
  if (auto done = log_->append(stored, range); !done) {
    return {.error = Error::kafka_storage_error, .fault = std::move(done.error().what)};
  }
  if (view.has_producer_id()) producers_.appended(produced, now_ms);
  outcome.base_offset = offsets.end;
  outcome.append_time_ms = batch.append_time_ms;
  outcome.stored = true;
  return outcome;
}

void Partition::expire_producers(std::int64_t now_ms) {
  if (now_ms < next_expiry_ms_) return;
  next_expiry_ms_ = now_ms + expiry_interval_ms;
  producers_.expire(now_ms - producer_expiration_ms_);
}

void Partition::close() {
  {
    const std::lock_guard lock(append_mutex_);
    closed_.store(true, std::memory_order_release);
  }
  arrivals_.announce_end();
}

}  // namespace muster::embedded
