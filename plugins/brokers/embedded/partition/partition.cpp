// See partition.hpp.
#include "partition.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace muster::embedded {
namespace {

using protocol::Error;

constexpr std::int64_t expiry_interval_ms = 600'000;

ProducedBatch to_produced(const protocol::RecordBatchView& batch, std::int64_t first_offset) {
  return {batch.producer_id(),
          batch.producer_epoch(),
          {batch.base_sequence(), batch.last_sequence(), first_offset, batch.max_timestamp()}};
}

}  // namespace

Appended Partition::append(const CheckedBatch& batch, const AppendTerms& terms) {
  Appended outcome;
  {
    const std::lock_guard lock(append_mutex_);
    outcome = append_locked(batch, terms);
  }
  // Outside the lock: whoever waits answers on this thread.
  if (outcome.stored) arrivals_.announce(static_cast<std::int64_t>(batch.size));
  return outcome;
}

Appended Partition::append_locked(const CheckedBatch& batch, const AppendTerms& terms) {
  if (closed()) return {.error = Error::unknown_topic_or_partition};
  Appended outcome;
  const LogOffsets offsets = log_->offsets();
  const auto view = batch.view();
  const ProducedBatch produced = to_produced(view, offsets.end);
  std::optional<ProducerEntry> producer;
  outcome.log_start_offset = offsets.start;
  if (view.has_producer_id()) {
    expire_producers(terms.now_ms);
    const auto verdict = producers_.judge(produced);
    if (!verdict) {
      outcome.error = verdict.error();
      return outcome;
    }
    if (const auto* repeat = std::get_if<ProducerEntry::Batch>(&*verdict)) {
      outcome.base_offset = repeat->first_offset;
      outcome.append_time_ms = repeat->timestamp;
      return outcome;
    }
    producer = producers_.after(produced, terms.now_ms);
  }
  protocol::stamp({batch.bytes.get(), batch.size}, offsets.end, leader_epoch);
  LogAppend append{
      .batch = {batch.bytes, protocol::Bytes{batch.bytes.get(), batch.size}},
      .range = {offsets.end, offsets.end + view.last_offset_delta(), view.max_timestamp()},
      .producer = producer ? &*producer : nullptr,
      .written_ms = terms.now_ms,
      .known = &producers_};
  const std::int64_t unflushed = unflushed_ + view.record_count();
  append.sync = unflushed >= terms.flush_messages;
  const bool sync = append.sync;
  if (auto done = log_->append(std::move(append)); !done) return failed(std::move(done.error()));
  unflushed_ = sync ? 0 : unflushed;
  if (producer) producers_.put(*producer);
  outcome.base_offset = offsets.end;
  outcome.append_time_ms = batch.append_time_ms;
  outcome.stored = true;
  return outcome;
}

std::vector<ProducerStates::Summary> Partition::producers(std::int64_t now_ms) {
  const std::lock_guard lock(append_mutex_);
  expire_producers(now_ms);
  return producers_.summaries();
}

Appended Partition::failed(StorageError error) {
  return {.error = Error::kafka_storage_error, .fault = std::move(error.what)};
}

void Partition::expire_producers(std::int64_t now_ms) {
  if (now_ms < next_expiry_ms_) return;
  next_expiry_ms_ = now_ms + expiry_interval_ms;
  producers_.expire(now_ms - producer_expiration_ms_);
}

Trimmed Partition::trim(std::int64_t offset) {
  const std::lock_guard lock(append_mutex_);
  if (closed()) return {.error = Error::unknown_topic_or_partition};
  const LogOffsets offsets = log_->offsets();
  if (offset > offsets.end) return {.error = Error::offset_out_of_range};
  if (auto done = log_->trim(offset); !done) {
    return {.error = Error::kafka_storage_error, .fault = std::move(done.error().what)};
  }
  return {.start = std::max(offset, offsets.start)};
}

void Partition::close() {
  const std::lock_guard lock(append_mutex_);
  closed_.store(true, std::memory_order_release);
}

void Partition::reopen() { closed_.store(false, std::memory_order_release); }

}  // namespace muster::embedded
