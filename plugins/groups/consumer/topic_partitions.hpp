// Sets of partitions as sorted flat arrays, so that union, intersection and difference are merges.
// Values; no owner, any thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace muster::consumer {

// A topic id in the order of Kafka's Java, which compares the two signed halves: assignors walk
// topics in this order.
struct TopicId {
  std::int64_t high = 0;
  std::int64_t low = 0;

  // `Id` is the codec's Uuid or the SDK's: both hold 16 bytes as on the wire.
  template <class Id>
  static TopicId of(const Id& id) {
    std::uint64_t halves[2];
    std::memcpy(halves, id.bytes.data(), sizeof halves);
    return {to_host(halves[0]), to_host(halves[1])};
  }
  template <class Id>
  Id as() const {
    const std::int64_t halves[2] = {to_host(static_cast<std::uint64_t>(high)),
                                    to_host(static_cast<std::uint64_t>(low))};
    Id id;
    std::memcpy(id.bytes.data(), halves, sizeof halves);
    return id;
  }

  friend bool operator==(const TopicId&, const TopicId&) = default;
  friend auto operator<=>(const TopicId&, const TopicId&) = default;

 private:
  static constexpr std::int64_t to_host(std::uint64_t big_endian) {
    if constexpr (std::endian::native == std::endian::little) {
      big_endian = std::byteswap(big_endian);
    }
    return static_cast<std::int64_t>(big_endian);
  }
};

// A partition's number is an index here. No topic has nearly as many; a larger one is no partition.
inline constexpr std::int32_t partition_limit = 1 << 24;
constexpr bool is_legal(std::int32_t partition) {
  return partition >= 0 && partition < partition_limit;
}

struct TopicPartition {
  TopicId topic;
  std::int32_t partition = 0;

  friend bool operator==(const TopicPartition&, const TopicPartition&) = default;
  friend auto operator<=>(const TopicPartition&, const TopicPartition&) = default;
};

// A partition that a member holds, with the epoch it was assigned at.
struct AssignedPartition {
  TopicId topic;
  std::int32_t partition = 0;
  std::int32_t epoch = 0;

  [[nodiscard]] TopicPartition place() const { return {topic, partition}; }
  friend bool operator==(const AssignedPartition&, const AssignedPartition&) = default;
};

// Both ascending by topic and partition, without repetition.
using Partitions = std::vector<TopicPartition>;
using AssignedPartitions = std::vector<AssignedPartition>;

inline TopicPartition place_of(const TopicPartition& at) { return at; }
inline TopicPartition place_of(const AssignedPartition& at) { return at.place(); }

// Nothing if the member does not hold it.
inline const AssignedPartition* find(std::span<const AssignedPartition> in,
                                     const TopicPartition& at) {
  const auto found = std::ranges::lower_bound(in, at, {}, &AssignedPartition::place);
  return found != in.end() && found->place() == at ? &*found : nullptr;
}

inline bool contains(std::span<const AssignedPartition> in, const TopicPartition& at) {
  return find(in, at) != nullptr;
}

// Brings entries into order; of several for one partition the last counts, as in a Java map.
inline void normalise(AssignedPartitions& partitions) {
  std::ranges::stable_sort(partitions, {}, &AssignedPartition::place);
  AssignedPartitions out;
  out.reserve(partitions.size());
  for (const AssignedPartition& one : partitions) {
    if (!out.empty() && out.back().place() == one.place()) out.pop_back();
    out.push_back(one);
  }
  partitions = std::move(out);
}

inline void normalise(Partitions& partitions) {
  std::ranges::sort(partitions);
  const auto repeated = std::ranges::unique(partitions);
  partitions.erase(repeated.begin(), repeated.end());
}

// From a message's list of {topic_id, partitions}.
template <class Grouped>
Partitions to_partitions(const std::vector<Grouped>& topics) {
  Partitions out;
  for (const Grouped& topic : topics) {
    const TopicId id = TopicId::of(topic.topic_id);
    for (const std::int32_t partition : topic.partitions) out.push_back({id, partition});
  }
  normalise(out);
  return out;
}

// Calls visit(topic id, its entries) once for each topic of an ordered set.
template <class Entry, class Visit>
void each_topic(std::span<const Entry> entries, Visit&& visit) {
  for (std::size_t at = 0; at < entries.size();) {
    std::size_t end = at + 1;
    while (end < entries.size() && entries[end].topic == entries[at].topic) ++end;
    visit(entries[at].topic, entries.subspan(at, end - at));
    at = end;
  }
}

// Into a message's list of {topic_id, partitions}.
template <class Grouped, class Entry>
std::vector<Grouped> to_grouped(const std::vector<Entry>& entries) {
  std::vector<Grouped> out;
  each_topic(std::span<const Entry>(entries), [&](const TopicId& id, std::span<const Entry> of) {
    Grouped& topic = out.emplace_back();
    topic.topic_id = id.as<decltype(topic.topic_id)>();
    topic.partitions.reserve(of.size());
    for (const Entry& one : of) topic.partitions.push_back(one.partition);
  });
  return out;
}

}  // namespace muster::consumer
