// See classic_assignor.hpp.
#include "classic_assignor.hpp"

#include <algorithm>

namespace muster::simulation {
namespace {

// Of two who say that they own a partition the one of the newer generation does.
std::map<NamedPartition, std::string> owners_among(
    const std::vector<ClassicSubscriber>& subscribers) {
  std::map<NamedPartition, const ClassicSubscriber*> newest;
  for (const ClassicSubscriber& subscriber : subscribers) {
    for (const NamedPartition& one : subscriber.owned) {
      const ClassicSubscriber*& owner = newest[one];
      if (owner == nullptr || owner->generation < subscriber.generation) owner = &subscriber;
    }
  }
  std::map<NamedPartition, std::string> owners;
  for (const auto& [one, owner] : newest) owners[one] = owner->member_id;
  return owners;
}

}  // namespace

std::map<std::string, NamedPartitions> assign_classic(
    const std::vector<ClassicSubscriber>& subscribers,
    const std::map<std::string, std::uint32_t>& partition_counts) {
  std::map<std::string, NamedPartitions> assigned;
  for (const ClassicSubscriber& subscriber : subscribers) assigned[subscriber.member_id];
  const auto owners = owners_among(subscribers);
  for (const auto& [topic, count] : partition_counts) {
    std::vector<std::string> ids;
    for (const ClassicSubscriber& subscriber : subscribers) {
      if (std::ranges::find(subscriber.topics, topic) != subscriber.topics.end()) {
        ids.push_back(subscriber.member_id);
      }
    }
    if (ids.empty()) continue;
    std::ranges::sort(ids);
    for (std::uint32_t p = 0; p < count; ++p) {
      const std::string& id = ids[std::size_t{p} * ids.size() / count];
      const NamedPartition one{topic, static_cast<std::int32_t>(p)};
      const auto owner = owners.find(one);
      if (owner == owners.end() || owner->second == id) assigned[id].insert(one);
    }
  }
  return assigned;
}

}  // namespace muster::simulation
