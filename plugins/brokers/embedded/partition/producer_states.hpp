// What one partition remembers of the idempotent producers that wrote to it, and what it lets them
// write next. Guarded by the partition's append lock.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <unordered_map>
#include <variant>

#include <muster/protocol/errors.hpp>

namespace muster::embedded {

// Of a batch that a producer with an id sends; the offsets are those it would get.
struct ProducedBatch {
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t first_sequence = -1;
  std::int32_t last_sequence = -1;
  std::int64_t first_offset = 0;
  std::int64_t timestamp = -1;
};

class ProducerStates {
 public:
  // A batch that was appended before, as it was answered then.
  struct Duplicate {
    std::int64_t first_offset = 0;
    std::int64_t timestamp = -1;
  };
  struct InOrder {};
  using Verdict = std::expected<std::variant<InOrder, Duplicate>, protocol::Error>;

  Verdict judge(const ProducedBatch& batch) const;
  // Once it is in the log.
  void appended(const ProducedBatch& batch, std::int64_t now_ms);
  // Forgets those that last wrote before `oldest_ms`.
  void expire(std::int64_t oldest_ms);

  std::size_t size() const { return producers_.size(); }

 private:
  struct KeptBatch {
    std::int32_t first_sequence = -1;
    std::int32_t last_sequence = -1;
    Duplicate answer;
  };
  // Clients have at most five requests in flight, so a repeat is one of the last five.
  struct Producer {
    static constexpr std::size_t kept = 5;
    std::int16_t epoch = -1;
    std::int64_t last_write_ms = 0;
    std::size_t count = 0;  // of all batches of this epoch; the newest is at (count - 1) % kept
    std::array<KeptBatch, kept> batches{};
  };

  std::unordered_map<std::int64_t, Producer> producers_;
};

}  // namespace muster::embedded
