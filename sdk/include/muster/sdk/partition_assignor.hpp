// muster.consumer.partition-assignor/1 in C++. An author's class has
//   void assign(const PartitionView&, PartitionSink&) const;   // [worker] pure
// and, if it has options, static constexpr muster_option options[].
#pragma once

#include <muster/abi/partition_assignor.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <muster/sdk/instance.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

// Everything is an index; partitions are numbered through all topics. Members are in member-id
// order, topics in Kafka's topic-id order. Good until the slot returns.
class PartitionView {
 public:
  using Indexes = std::span<const std::uint32_t>;

  explicit PartitionView(const muster_partition_assignor_view* table) : table_(table) {}

  std::uint32_t topic_count() const { return table_->topic_count; }
  std::uint32_t member_count() const { return table_->member_count; }
  std::uint32_t subscription_count() const { return table_->subscription_count; }
  std::uint32_t partition_count() const {
    return topic_count() == 0 ? 0 : table_->topic_first[topic_count()];
  }

  Strings topic_names() const { return {table_->topic_names, topic_count()}; }
  Uuid topic_id(std::uint32_t topic) const { return to_uuid(table_->topic_ids[topic]); }
  // topic_count() + 1 of them: partitions of topic t are topic_first()[t] .. topic_first()[t + 1].
  Indexes topic_first() const {
    return topic_count() == 0 ? Indexes{} : Indexes{table_->topic_first, topic_count() + 1};
  }

  Strings member_ids() const { return {table_->member_ids, member_count()}; }
  std::optional<std::string_view> instance_id(std::uint32_t member) const {
    return to_nullable_view(table_->instance_ids[member]);
  }
  // Place among all members in Kafka's range order: static by instance id, then dynamic.
  Indexes instance_rank() const { return {table_->instance_rank, member_count()}; }
  // Index into racks(), or MUSTER_NONE.
  Indexes member_racks() const { return {table_->member_racks, member_count()}; }

  // Members with equal subscriptions share one.
  Indexes member_subscription() const { return {table_->member_subscription, member_count()}; }
  Indexes subscription(std::uint32_t index) const {
    const std::uint32_t first = table_->subscription_first[index];
    return {table_->subscription_topics + first, table_->subscription_first[index + 1] - first};
  }
  Indexes subscribed_topics(std::uint32_t member) const {
    return subscription(table_->member_subscription[member]);
  }

  // By partition: the member it was last meant for, or MUSTER_NONE.
  Indexes current_owner() const { return {table_->current_owner, partition_count()}; }

  Strings racks() const { return {table_->racks, table_->rack_count}; }
  Indexes partition_racks(std::uint32_t partition) const {
    if (table_->rack_count == 0) return {};
    const std::uint32_t first = table_->partition_rack_first[partition];
    return {table_->partition_racks + first, table_->partition_rack_first[partition + 1] - first};
  }

  // What group-scope options are asked by; empty where the host does not say it.
  std::string_view group_id() const {
    return to_view(member_or(*table_, &muster_partition_assignor_view::group_id));
  }

  const muster_partition_assignor_view* table() const { return table_; }

 private:
  const muster_partition_assignor_view* table_;
};

// What is never named has no owner.
class PartitionSink {
 public:
  explicit PartitionSink(const muster_partition_sink* table)
      : table_(table), assign_(offered(table, &muster_partition_sink::assign)) {}

  void assign(std::uint32_t partition, std::uint32_t member) {
    assign_(table_->self, partition, 1, &member);
  }
  // Partition first + i goes to members[i].
  void assign(std::uint32_t first, std::span<const std::uint32_t> members) {
    assign_(table_->self, first, static_cast<std::uint32_t>(members.size()), members.data());
  }

 private:
  const muster_partition_sink* table_;
  void (*assign_)(void*, std::uint32_t, std::uint32_t, const std::uint32_t*);
};

template <class Assignor>
struct PartitionAssignorSlots {
  static muster_code assign(void* self, const muster_partition_assignor_view* view,
                            const muster_partition_sink* out,
                            const muster_error_sink* error) noexcept {
    return guarded_code(Complaint{error}, [&] {
      PartitionSink sink{out};
      return std::as_const(Instance<Assignor>::of(self)).assign(PartitionView{view}, sink);
    });
  }
};

template <class Assignor>
inline constexpr muster_partition_assignor_v1 partition_assignor_table = {
    .struct_size = sizeof(muster_partition_assignor_v1),
    .create = &create_instance<Assignor>,
    .destroy = &destroy_instance<Assignor>,
    .assign = &PartitionAssignorSlots<Assignor>::assign,
};

}  // namespace muster::sdk
