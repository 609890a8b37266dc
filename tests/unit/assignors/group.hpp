// A consumer group as tests write it down, and the border's view of it. Tests and benches only.
#pragma once

#include <muster/abi/partition_assignor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace muster::assignors {

struct Member {
  std::string id;
  std::optional<std::string> instance = {};
  std::optional<std::string> rack = {};
  std::uint32_t subscription = 0;
};

// By partition, through all topics: index of the member, or MUSTER_NONE.
using Owners = std::vector<std::uint32_t>;

struct Group {
  std::vector<std::uint32_t> topics;  // partitions of each
  std::vector<std::vector<std::uint32_t>> subscriptions;
  std::vector<Member> members;
  Owners current;  // empty: nobody owns anything
  // By partition, through all topics: its racks; empty: partition p of each topic is in p mod 3.
  std::vector<std::vector<std::uint32_t>> racks = {};

  std::uint32_t partition_count() const;
  const std::vector<std::uint32_t>& wants(std::uint32_t member) const {
    return subscriptions[members[member].subscription];
  }
  bool is_subscribed(std::uint32_t member, std::uint32_t topic) const;
};

// What the rack of this number is called, for members.
std::string rack_name(std::uint32_t rack);

// `members` members that all want `topics` topics of `partitions` partitions each.
Group homogeneous_group(std::uint32_t members, std::uint32_t topics, std::uint32_t partitions);

// The C view of a group; points into it. Member and topic order are the group's own.
class GroupView {
 public:
  explicit GroupView(const Group& group);
  GroupView(const GroupView&) = delete;
  GroupView& operator=(const GroupView&) = delete;

  const muster_partition_assignor_view& table() const { return table_; }

 private:
  void add_topics(const Group& group);
  void add_members(const Group& group);
  void add_subscriptions(const Group& group);

  std::vector<std::string> names_, rack_names_;
  std::vector<muster_str> topic_names_, member_ids_, instance_ids_, racks_;
  std::vector<muster_uuid> topic_ids_;
  std::vector<std::uint32_t> topic_first_, instance_rank_, member_racks_, member_subscription_;
  std::vector<std::uint32_t> subscription_first_, subscription_topics_;
  std::vector<std::uint32_t> current_, partition_rack_first_, partition_racks_;
  muster_partition_assignor_view table_{};
};

}  // namespace muster::assignors
