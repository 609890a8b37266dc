// What a shard of the offsets plugin remembers: group -> topic -> partition -> offset, in an order
// that never depends on history. Written by replay only; the shard's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <muster/protocol/types.hpp>

namespace muster::offsets {

struct CommittedOffset {
  std::int64_t offset = 0;
  std::int64_t commit_ms = 0;
  std::int64_t expire_ms = -1;  // -1: by the group's retention
  std::int32_t partition = 0;
  std::int32_t leader_epoch = -1;
  protocol::Uuid topic_id;                      // zero: committed before ids were stored
  std::unique_ptr<const std::string> metadata;  // null where empty, as it nearly always is

  [[nodiscard]] std::string_view metadata_text() const {
    return metadata ? std::string_view{*metadata} : std::string_view{};
  }
};

// Ascending by partition.
using PartitionOffsets = std::vector<CommittedOffset>;
// The order in which whole topics are emptied: what is erased last to first moves nothing.
inline constexpr auto from_the_back = std::views::reverse;
using TopicOffsets = std::map<std::string, PartitionOffsets, std::less<>>;
using GroupOffsets = std::map<std::string, TopicOffsets, std::less<>>;

struct OffsetPlace {
  std::string_view group;
  std::string_view topic;
  std::int32_t partition = 0;
};

struct DeletedTopic {
  std::string name;
  protocol::Uuid id;

  friend auto operator<=>(const DeletedTopic&, const DeletedTopic&) = default;
};

const CommittedOffset* find_partition(const PartitionOffsets& partitions, std::int32_t partition);

class CommittedOffsets {
 public:
  void put(const OffsetPlace& place, CommittedOffset offset);
  void erase(const OffsetPlace& place);

  [[nodiscard]] const GroupOffsets& groups() const { return groups_; }
  [[nodiscard]] const TopicOffsets* find_group(std::string_view group) const;
  [[nodiscard]] const CommittedOffset* find(const OffsetPlace& place) const;

  // Whether the id exists for this plugin where no protocol owns it: it has offsets, or had some
  // since the shard was loaded. Kafka keeps such a group, empty, until its next expiry too.
  [[nodiscard]] bool knows(std::string_view group) const {
    return groups_.contains(group) || emptied.contains(group);
  }

  // Noted, gone after a reload.
  std::set<std::string, std::less<>> emptied;  // groups without a protocol, and no offset left
  std::set<DeletedTopic> deleted_topics;       // whose offsets are not all gone yet

  // Loaded from keys of Kafka's first format, which are rewritten as soon as the shard is loaded.
  std::set<std::pair<std::pair<std::string, std::string>, std::int32_t>> legacy;

 private:
  GroupOffsets groups_;
};

}  // namespace muster::offsets
