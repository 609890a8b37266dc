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

ProducerStates::ProducerStates(const std::vector<ProducerEntry>& entries) {
  for (const ProducerEntry& entry : entries) put(entry);
}

ProducerStates::Verdict ProducerStates::judge(const ProducedBatch& produced) const {
  using protocol::Error;
  const auto known = producers_.find(produced.producer_id);
  // Its state may have expired: any sequence may be the next one.
  if (known == producers_.end()) return InOrder{};
  const ProducerEntry& producer = known->second;
  const ProducerEntry::Batch& batch = produced.batch;
  if (produced.producer_epoch < producer.epoch) {
    return std::unexpected(Error::invalid_producer_epoch);
  }
  if (produced.producer_epoch > producer.epoch) {
    if (batch.first_sequence == 0) return InOrder{};
    return std::unexpected(Error::out_of_order_sequence_number);
  }
  for (std::size_t i = 0; i < producer.count; ++i) {
    const ProducerEntry::Batch& kept = producer.batches[i];
    if (kept.first_sequence == batch.first_sequence && kept.last_sequence == batch.last_sequence) {
      return kept;
    }
  }
  if (follows(producer.batches[producer.count - 1].last_sequence, batch.first_sequence)) {
    return InOrder{};
  }
  return std::unexpected(Error::out_of_order_sequence_number);
}

ProducerEntry ProducerStates::after(const ProducedBatch& produced, std::int64_t now_ms) const {
  const auto known = producers_.find(produced.producer_id);
  ProducerEntry entry;
  if (known != producers_.end() && known->second.epoch == produced.producer_epoch) {
    entry = known->second;
  }
  entry.producer_id = produced.producer_id;
  entry.epoch = produced.producer_epoch;
  entry.last_write_ms = now_ms;
  if (entry.count == ProducerEntry::kept) {
    std::ranges::rotate(entry.batches, entry.batches.begin() + 1);
    --entry.count;
  }
  entry.batches[entry.count++] = produced.batch;
  return entry;
}

void ProducerStates::expire(std::int64_t oldest_ms) {
  std::erase_if(producers_,
                [&](const auto& known) { return known.second.last_write_ms <= oldest_ms; });
}

std::vector<ProducerEntry> ProducerStates::entries() const {
  std::vector<ProducerEntry> all;
  all.reserve(producers_.size());
  for (const auto& [id, producer] : producers_) all.push_back(producer);
  std::ranges::sort(all, {}, &ProducerEntry::producer_id);
  return all;
}

std::vector<ProducerStates::Summary> ProducerStates::summaries() const {
  std::vector<Summary> all;
  for (const ProducerEntry& producer : entries()) {
    const ProducerEntry::Batch& newest = producer.batches[producer.count - 1];
    all.push_back({producer.producer_id, producer.epoch, newest.last_sequence, newest.timestamp});
  }
  return all;
}

}  // namespace muster::embedded
