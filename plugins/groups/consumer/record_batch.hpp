// The records that a decision collects before it is sure of them: a request that fails leaves no
// trace. In Kafka's formats; owner: one decision. [shard]
#pragma once

#include <muster/protocol/records/group_metadata_value.hpp>
#include <muster/protocol/types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "group.hpp"

namespace muster::consumer {

class RecordBatch {
 public:
  struct Entry {
    protocol::Buffer key;
    std::optional<protocol::Buffer> value;  // nothing = tombstone
  };

  explicit RecordBatch(std::string_view group) : group_(group) {}

  void member_metadata(std::string_view member, const MemberMetadata& metadata);
  void group_epoch(std::int32_t epoch, std::uint64_t metadata_hash);
  void target(std::string_view member, const Partitions& target);
  void target_metadata(std::int32_t epoch, std::int64_t timestamp_ms);
  void current(std::string_view member, const CurrentAssignment& current);
  void regex(std::string_view regex, const ResolvedRegex& resolved);

  // In the order Kafka removes a member: what it holds, what it is meant to hold, itself.
  void remove_member(std::string_view member);
  void remove_regex(std::string_view regex);
  void remove_partition_metadata();
  void remove_target_metadata();
  void remove_group_epoch();

  // A whole group as if written now, its tombstones, and those of an empty one; in Kafka's order.
  void whole_group(const Group& group);
  void remove_whole_group(const Group& group);
  void remove_empty_group(const Group& group);

  // The group of that name as the classic protocol stores it.
  void classic_group(const protocol::GroupMetadataValue& value);
  void remove_classic_group();

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  template <class Key, class Value>
  void put(const Key& key, const Value& value);
  template <class Key>
  void remove(const Key& key);

  std::string_view group_;
  std::vector<Entry> entries_;
};

}  // namespace muster::consumer
