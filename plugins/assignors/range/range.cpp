// How range cuts topics; range.hpp says what it promises. Any thread.
#include "range.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "by_racks.hpp"

namespace muster::range {
namespace {

using Indexes = sdk::PartitionView::Indexes;

// What is left of a topic while members take their ranges in order.
struct Cut {
  std::uint32_t next;   // first partition that nobody has yet
  std::uint32_t end;    // behind the topic's last partition
  std::uint32_t quota;  // what every subscriber gets
  std::uint32_t extra;  // how many of the next subscribers get one more
};

Cut cut_of(std::uint32_t first, std::uint32_t end, std::uint32_t subscribers) {
  return {first, end, (end - first) / subscribers, (end - first) % subscribers};
}

void take_range(Cut& cut, std::uint32_t member, std::span<std::uint32_t> owner) {
  std::uint32_t size = cut.quota;
  if (cut.extra > 0) {
    ++size;
    --cut.extra;
  }
  std::fill_n(owner.begin() + cut.next, size, member);
  cut.next += size;
}

std::vector<std::uint32_t> members_in_range_order(Indexes rank) {
  std::vector<std::uint32_t> order(rank.size());
  for (std::uint32_t m = 0; m < rank.size(); ++m) order[rank[m]] = m;
  return order;
}

// All members want all topics.
void assign_homogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner) {
  const auto order = members_in_range_order(view.instance_rank());
  const Indexes topic_first = view.topic_first();
  const std::uint32_t* last = nullptr;  // owners of the topic before
  std::uint32_t last_size = 0;
  for (std::uint32_t t = 0; t < view.topic_count(); ++t) {
    Cut cut = cut_of(topic_first[t], topic_first[t + 1], view.member_count());
    const std::uint32_t size = cut.end - cut.next;
    std::uint32_t* const mine = owner.data() + cut.next;
    if (last != nullptr && size == last_size) {
      // Owners depend on the number of partitions alone: that is what co-partitions topics.
      std::copy_n(last, size, mine);
    } else {
      for (std::size_t i = 0; cut.next < cut.end; ++i) take_range(cut, order[i], owner);
    }
    last = mine;
    last_size = size;
  }
}

std::vector<std::uint32_t> count_subscribers(const sdk::PartitionView& view) {
  std::vector<std::uint32_t> members_of(view.subscription_count());
  for (const std::uint32_t s : view.member_subscription()) ++members_of[s];
  std::vector<std::uint32_t> subscribers(view.topic_count());
  for (std::uint32_t s = 0; s < view.subscription_count(); ++s) {
    for (const std::uint32_t topic : view.subscription(s)) subscribers[topic] += members_of[s];
  }
  return subscribers;
}

void assign_heterogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner) {
  std::ranges::fill(owner, MUSTER_NONE);
  const auto subscribers = count_subscribers(view);
  const Indexes topic_first = view.topic_first();
  std::vector<Cut> cuts(view.topic_count());
  for (std::uint32_t t = 0; t < view.topic_count(); ++t) {
    if (subscribers[t] > 0) cuts[t] = cut_of(topic_first[t], topic_first[t + 1], subscribers[t]);
  }
  for (const std::uint32_t member : members_in_range_order(view.instance_rank())) {
    for (const std::uint32_t topic : view.subscribed_topics(member)) {
      Cut& cut = cuts[topic];
      if (cut.next < cut.end) take_range(cut, member, owner);
    }
  }
}

}  // namespace

void RangeAssignor::assign(const sdk::PartitionView& view, sdk::PartitionSink& out) const {
  const std::uint32_t partitions = view.partition_count();
  if (view.member_count() == 0 || partitions == 0) return;
  const auto storage = std::make_unique_for_overwrite<std::uint32_t[]>(partitions);
  const std::span<std::uint32_t> owner{storage.get(), partitions};
  const std::string_view group = view.group_id();
  const bool by_racks = rack_aware_(group);
  if (view.subscription_count() == 1 && view.subscription(0).size() == view.topic_count()) {
    assign_homogeneous(view, owner);
    if (by_racks) rearrange_by_racks(view, co_partitioned_(group), owner);
    return out.assign(0, owner);
  }
  assign_heterogeneous(view, owner);
  if (by_racks) rearrange_by_racks(view, co_partitioned_(group), owner);
  const Indexes first = view.topic_first();
  for (std::uint32_t t = 0; t < view.topic_count(); ++t) {
    const auto topic = owner.subspan(first[t], first[t + 1] - first[t]);
    if (!topic.empty() && topic[0] != MUSTER_NONE) out.assign(first[t], topic);
  }
}

}  // namespace muster::range
