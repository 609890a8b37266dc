// The dense view of a group that partition assignors get. Built in one slot, copied by the host.
// [shard]
#pragma once

#include <muster/abi/partition_assignor.h>
#include <muster/sdk/metadata.hpp>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "group.hpp"

namespace muster::consumer {

class AssignorView {
 public:
  // The id must outlive the view.
  AssignorView(std::string_view id, const Group& group, const sdk::Metadata& metadata);
  AssignorView(const AssignorView&) = delete;
  AssignorView& operator=(const AssignorView&) = delete;

  [[nodiscard]] const muster_partition_assignor_view& table() const { return table_; }

 private:
  using Indexes = std::vector<std::uint32_t>;

  void add_topics(const Group& group, const sdk::Metadata& metadata);
  void add_members(const Group& group);
  void add_ranks();
  void add_subscriptions(const Group& group);
  void append_subscription(const Group& group, const MemberMetadata& metadata);
  void add_current_owners(const Group& group);
  void add_racks(const Group& group);
  void fill_table();

  std::vector<sdk::Topic> topics_;
  std::vector<TopicId> ids_;
  std::vector<muster_str> topic_names_;
  std::vector<muster_uuid> topic_ids_;
  std::unordered_map<std::string_view, std::uint32_t> topic_by_name_;
  Indexes topic_first_;
  std::vector<muster_str> member_ids_;
  std::vector<muster_str> instance_ids_;
  Indexes instance_rank_;
  Indexes member_racks_;
  Indexes member_subscription_;
  Indexes subscription_first_;
  Indexes subscription_topics_;
  Indexes current_owner_;
  std::vector<muster_str> racks_;
  Indexes partition_rack_first_;
  Indexes partition_racks_;
  muster_partition_assignor_view table_{};
};

}  // namespace muster::consumer
