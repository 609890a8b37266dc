// What the leader of a classic group works out: ranges by member id, and, where members keep their
// partitions through a rebalance, nothing that somebody else still holds. Pure. Tests only.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace muster::simulation {

// Classic clients know topics by name.
using NamedPartition = std::pair<std::string, std::int32_t>;
using NamedPartitions = std::set<NamedPartition>;

struct ClassicSubscriber {
  std::string member_id;
  std::vector<std::string> topics;
  NamedPartitions owned;
  std::int32_t generation = -1;  // that it owns them at
};

std::map<std::string, NamedPartitions> assign_classic(
    const std::vector<ClassicSubscriber>& subscribers,
    const std::map<std::string, std::uint32_t>& partition_counts);

}  // namespace muster::simulation
