// Who subscribes to each topic of a view, in member order. Built once a run, then constant.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <muster/sdk/partition_assignor.hpp>

namespace muster::uniform {

// Topics that are wanted by the same subscriptions share one list: a group in the midst of changing
// what it reads has two or three subscriptions, however many members and topics it has.
class Subscribers {
 public:
  explicit Subscribers(const sdk::PartitionView& view);

  std::uint32_t list_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t list_of(std::uint32_t topic) const { return list_of_topic_[topic]; }
  std::span<const std::uint32_t> list(std::uint32_t index) const {
    return std::span(members_).subspan(first_[index], first_[index + 1] - first_[index]);
  }
  std::span<const std::uint32_t> of(std::uint32_t topic) const { return list(list_of(topic)); }

 private:
  // By subscription, the lists it belongs to.
  using ListsOf = std::vector<std::span<const std::uint32_t>>;

  ListsOf one_list_a_topic(const sdk::PartitionView& view);
  ListsOf shared_lists(const sdk::PartitionView& view);
  void fill(const sdk::PartitionView& view, const ListsOf& lists_of);

  std::vector<std::uint32_t> list_of_topic_;
  std::vector<std::uint32_t> first_;  // by list, and one behind
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> shared_;  // what ListsOf points to where lists are shared
};

}  // namespace muster::uniform
