// What one partition remembers of the idempotent producers that wrote to it, and what it lets them
// write next. Guarded by the partition's append lock.
#pragma once

#include <cstdint>
#include <expected>
#include <unordered_map>
#include <variant>
#include <vector>

#include <muster/protocol/errors.hpp>

#include "log/producer_entry.hpp"

namespace muster::embedded {

// Of a batch that a producer with an id sends; the offsets are those it would get.
struct ProducedBatch {
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  ProducerEntry::Batch batch;
};

class ProducerStates final : public KnownProducers {
 public:
  ProducerStates() = default;
  // As they were stored.
  explicit ProducerStates(const std::vector<ProducerEntry>& entries);

  struct InOrder {};
  // A batch that was appended before is given as it was answered then.
  using Verdict = std::expected<std::variant<InOrder, ProducerEntry::Batch>, protocol::Error>;

  Verdict judge(const ProducedBatch& batch) const;
  // What its producer would be after this batch, which is in order.
  ProducerEntry after(const ProducedBatch& batch, std::int64_t now_ms) const;
  // Once that is in the log.
  void put(const ProducerEntry& entry) { producers_[entry.producer_id] = entry; }
  // Forgets those that last wrote at `oldest_ms` or before.
  void expire(std::int64_t oldest_ms);

  std::size_t size() const { return producers_.size(); }
  // Ascending by id, as the summaries.
  std::vector<ProducerEntry> entries() const override;

  struct Summary {
    std::int64_t producer_id = -1;
    std::int16_t epoch = -1;
    std::int32_t last_sequence = -1;
    std::int64_t last_timestamp = -1;
  };
  std::vector<Summary> summaries() const;

 private:
  std::unordered_map<std::int64_t, ProducerEntry> producers_;
};

}  // namespace muster::embedded
