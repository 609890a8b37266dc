// See producer_states.hpp.
#include "producer_states.hpp"

#include <algorithm>
#include <limits>

namespace muster::embedded {
namespace {

bool follows(std::int32_t last, std::int32_t next) {
  if (last == std::numeric_limits<std::int32_t>::max()) return next == 0;
  return next == last + 1;
}

}  // namespace

ProducerStates::Verdict ProducerStates::judge(const ProducedBatch& batch) const {
  using protocol::Error;
  const auto known = producers_.find(batch.producer_id);
  // Its state may have expired: any sequence may be the next one.
  if (known == producers_.end()) return InOrder{};
  const Producer& producer = known->second;
  if (batch.producer_epoch < producer.epoch) return std::unexpected(Error::invalid_producer_epoch);
  if (batch.producer_epoch > producer.epoch) {
    if (batch.first_sequence == 0) return InOrder{};
    return std::unexpected(Error::out_of_order_sequence_number);
  }
  for (std::size_t i = 0; i < std::min(producer.count, Producer::kept); ++i) {
    const KeptBatch& kept = producer.batches[i];
    if (kept.first_sequence == batch.first_sequence &&
        kept.last_sequence == batch.last_sequence) {
      return kept.answer;
    }
  }
  const KeptBatch& newest = producer.batches[(producer.count - 1) % Producer::kept];
  if (follows(newest.last_sequence, batch.first_sequence)) return InOrder{};
  return std::unexpected(Error::out_of_order_sequence_number);
}

void ProducerStates::appended(const ProducedBatch& batch, std::int64_t now_ms) {
  Producer& producer = producers_[batch.producer_id];
  if (producer.epoch != batch.producer_epoch) {
    producer.epoch = batch.producer_epoch;
    producer.count = 0;
  }
  producer.last_write_ms = now_ms;
  producer.batches[producer.count++ % Producer::kept] = {
      batch.first_sequence, batch.last_sequence, {batch.first_offset, batch.timestamp}};
}

void ProducerStates::expire(std::int64_t oldest_ms) {
  std::erase_if(producers_,
                [&](const auto& entry) { return entry.second.last_write_ms <= oldest_ms; });
}

}  // namespace muster::embedded
