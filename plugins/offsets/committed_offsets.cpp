#include "committed_offsets.hpp"

#include <algorithm>

namespace muster::offsets {

namespace {

auto place_of(auto& partitions, std::int32_t partition) {
  return std::ranges::lower_bound(partitions, partition, {}, &CommittedOffset::partition);
}

}  // namespace

const CommittedOffset* find_partition(const PartitionOffsets& partitions, std::int32_t partition) {
  const auto at = place_of(partitions, partition);
  return at == partitions.end() || at->partition != partition ? nullptr : &*at;
}

void CommittedOffsets::put(const OffsetPlace& place, CommittedOffset offset) {
  auto group = groups_.find(place.group);
  if (group == groups_.end()) group = groups_.emplace(place.group, TopicOffsets{}).first;
  auto topic = group->second.find(place.topic);
  if (topic == group->second.end()) {
    topic = group->second.emplace(place.topic, PartitionOffsets{}).first;
  }
  offset.partition = place.partition;
  PartitionOffsets& partitions = topic->second;
  const auto at = place_of(partitions, place.partition);
  if (at != partitions.end() && at->partition == place.partition) {
    *at = std::move(offset);
  } else {
    partitions.insert(at, std::move(offset));
  }
  if (const auto empty = emptied.find(place.group); empty != emptied.end()) emptied.erase(empty);
}

void CommittedOffsets::erase(const OffsetPlace& place) {
  const auto group = groups_.find(place.group);
  if (group == groups_.end()) return;
  const auto topic = group->second.find(place.topic);
  if (topic == group->second.end()) return;
  const auto at = place_of(topic->second, place.partition);
  if (at == topic->second.end() || at->partition != place.partition) return;
  topic->second.erase(at);
  if (topic->second.empty()) group->second.erase(topic);
  if (group->second.empty()) groups_.erase(group);
}

const TopicOffsets* CommittedOffsets::find_group(std::string_view group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? nullptr : &found->second;
}

const CommittedOffset* CommittedOffsets::find(const OffsetPlace& place) const {
  const TopicOffsets* topics = find_group(place.group);
  if (topics == nullptr) return nullptr;
  const auto topic = topics->find(place.topic);
  return topic == topics->end() ? nullptr : find_partition(topic->second, place.partition);
}

}  // namespace muster::offsets
