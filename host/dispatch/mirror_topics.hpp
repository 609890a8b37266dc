// Writes what shards commit into the internal topics, through the broker's own Produce.
//
// Threads: [any]. One request is in flight per partition, so that a partition has its shard's
// order.
#pragma once

#include "runtime/metadata.hpp"
#include "runtime/mirror.hpp"
#include "runtime/ports.hpp"

#include <deque>
#include <map>
#include <mutex>

namespace muster::host {

class MirrorTopics : public Mirror {
 public:
  struct Parts {
    Caller* caller = nullptr;
    Executor* executor = nullptr;
    Clock* clock = nullptr;
    Metadata* metadata = nullptr;
    Observer* observer = nullptr;
  };

  explicit MirrorTopics(const Parts& parts) : parts_(parts) {}

  void append(std::uint32_t shard, std::vector<MirrorRecord> records) override;

 private:
  using Place = std::pair<std::string, std::uint32_t>;  // topic, partition
  struct Queue {
    std::deque<Buffer> requests;
    bool in_flight = false;
  };

  Place place_of(const MirrorRecord& record, const MetadataSnapshot& snapshot) const;
  void enqueue(const Place& place, Buffer request);
  void send_next(const Place& place);

  Parts parts_;
  std::mutex mutex_;
  std::map<Place, Queue> queues_;
};

}  // namespace muster::host
