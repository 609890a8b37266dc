// Who-holds-what of one group. [shard]
#include "ownership.hpp"

namespace muster::consumer {

std::int32_t Ownership::epoch_of(const TopicPartition& at) const {
  const auto topic = topics_.find(at.topic);
  if (topic == topics_.end() || at.partition < 0) return nobody;
  const auto& epochs = topic->second.epochs;
  const auto index = static_cast<std::size_t>(at.partition);
  return index < epochs.size() ? epochs[index] : nobody;
}

bool Ownership::take(const AssignedPartitions& partitions, std::int32_t epoch) {
  auto topic = topics_.end();
  for (const AssignedPartition& one : partitions) {
    if (topic == topics_.end() || topic->first != one.topic) {
      topic = topics_.try_emplace(one.topic).first;
    }
    auto& [epochs, held] = topic->second;
    const auto index = static_cast<std::size_t>(one.partition);
    if (index >= epochs.size()) epochs.resize(index + 1, nobody);
    if (epochs[index] != nobody && epochs[index] >= epoch) return false;
    if (epochs[index] == nobody) ++held;
    epochs[index] = epoch;
  }
  return true;
}

void Ownership::release(const AssignedPartitions& partitions, std::int32_t epoch) {
  auto topic = topics_.end();
  for (const AssignedPartition& one : partitions) {
    if (topic == topics_.end() || topic->first != one.topic) topic = topics_.find(one.topic);
    if (topic == topics_.end()) continue;
    auto& [epochs, held] = topic->second;
    const auto index = static_cast<std::size_t>(one.partition);
    if (index >= epochs.size() || epochs[index] != epoch) continue;
    epochs[index] = nobody;
    if (--held == 0) {
      topics_.erase(topic);
      topic = topics_.end();
    }
  }
}

}  // namespace muster::consumer
