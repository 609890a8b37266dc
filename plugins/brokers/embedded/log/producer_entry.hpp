// What is kept of one idempotent producer in one partition, in memory and on disk alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::embedded {

struct ProducerEntry {
  struct Batch {
    std::int32_t first_sequence = -1;
    std::int32_t last_sequence = -1;
    std::int64_t first_offset = 0;
    std::int64_t timestamp = -1;

    friend bool operator==(const Batch&, const Batch&) = default;
  };
  // Clients have at most five requests in flight, so a repeat is one of the last five.
  static constexpr std::size_t kept = 5;

  std::int64_t producer_id = -1;
  std::int16_t epoch = -1;
  std::int64_t last_write_ms = 0;
  std::size_t count = 0;  // of batches that are kept, all of this epoch; the newest is the last
  std::array<Batch, kept> batches{};

  friend bool operator==(const ProducerEntry&, const ProducerEntry&) = default;
};

// All that one partition remembers, for whoever has to keep it.
class KnownProducers {
 public:
  virtual std::vector<ProducerEntry> entries() const = 0;

 protected:
  ~KnownProducers() = default;
};

}  // namespace muster::embedded
