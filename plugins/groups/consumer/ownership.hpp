// Who-holds-what of one group: for each partition the epoch of the member that holds it, assigned
// or still to be revoked. Owner: the group's state; written by replay only. [shard]
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "topic_partitions.hpp"

namespace muster::consumer {

class Ownership {
 public:
  static constexpr std::int32_t nobody = -1;

  // The epoch of the member that holds it (-2: a static member that has left), or `nobody`.
  [[nodiscard]] std::int32_t epoch_of(const TopicPartition& at) const;
  [[nodiscard]] bool is_free(const TopicPartition& at) const { return epoch_of(at) == nobody; }

  // False, and nothing more is taken, if one of them is held at this epoch or a later one.
  [[nodiscard]] bool take(const AssignedPartitions& partitions, std::int32_t epoch);
  // Gives up those that are still held at this epoch.
  void release(const AssignedPartitions& partitions, std::int32_t epoch);

 private:
  struct Topic {
    std::vector<std::int32_t> epochs;  // by partition
    std::size_t held = 0;
  };

  std::map<TopicId, Topic> topics_;
};

}  // namespace muster::consumer
