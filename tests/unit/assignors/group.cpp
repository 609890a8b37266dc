// Turns a written-down group into the border's view. Tests and benches only.
#include "group.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

namespace muster::assignors {
namespace {

muster_str str(const std::string& text) { return {text.data(), text.size()}; }

// In ascending order, as the border has it.
constexpr std::string_view rack_letters = "0123456789abcdefghijklmnopqrstuvwxyz";

}  // namespace

std::string rack_name(std::uint32_t rack) { return std::string("rack") + rack_letters.at(rack); }

std::uint32_t Group::partition_count() const {
  return std::accumulate(topics.begin(), topics.end(), 0u);
}

bool Group::is_subscribed(std::uint32_t member, std::uint32_t topic) const {
  return std::ranges::binary_search(wants(member), topic);
}

Group homogeneous_group(std::uint32_t members, std::uint32_t topics, std::uint32_t partitions) {
  Group group;
  group.topics.assign(topics, partitions);
  group.subscriptions.emplace_back(topics);
  std::iota(group.subscriptions[0].begin(), group.subscriptions[0].end(), 0u);
  for (std::uint32_t m = 0; m < members; ++m) {
    const std::string number = std::to_string(m);
    group.members.push_back({.id = "m" + std::string(6 - number.size(), '0') + number});
  }
  return group;
}

GroupView::GroupView(const Group& group) {
  add_topics(group);
  add_members(group);
  add_subscriptions(group);
  current_ = group.current;
  current_.resize(group.partition_count(), MUSTER_NONE);
  table_.struct_size = sizeof table_;
  table_.current_owner = current_.data();
}

void GroupView::add_topics(const Group& group) {
  const std::size_t count = group.topics.size();
  names_.reserve(count);
  topic_ids_.resize(count);
  topic_first_ = {0};
  partition_rack_first_ = {0};
  for (std::size_t t = 0; t < count; ++t) {
    topic_names_.push_back(str(names_.emplace_back("topic" + std::to_string(t))));
    for (int i = 0; i < 4; ++i) {
      topic_ids_[t].bytes[15 - i] = static_cast<std::uint8_t>((t + 1) >> (8 * i));
    }
    topic_first_.push_back(topic_first_.back() + group.topics[t]);
    for (std::uint32_t p = 0; p < group.topics[t]; ++p) {
      if (group.racks.empty()) {
        partition_racks_.push_back(p % 3);
      } else {
        const auto& racks = group.racks[partition_rack_first_.size() - 1];
        partition_racks_.insert(partition_racks_.end(), racks.begin(), racks.end());
      }
      partition_rack_first_.push_back(static_cast<std::uint32_t>(partition_racks_.size()));
    }
  }
  for (std::uint32_t rack = 0; rack < rack_letters.size(); ++rack) {
    rack_names_.push_back(rack_name(rack));
  }
  for (const std::string& rack : rack_names_) racks_.push_back(str(rack));
  table_.topic_count = static_cast<std::uint32_t>(count);
  table_.topic_names = topic_names_.data();
  table_.topic_ids = topic_ids_.data();
  table_.topic_first = topic_first_.data();
  table_.rack_count = static_cast<std::uint32_t>(racks_.size());
  table_.racks = racks_.data();
  table_.partition_rack_first = partition_rack_first_.data();
  table_.partition_racks = partition_racks_.data();
}

void GroupView::add_members(const Group& group) {
  for (const Member& member : group.members) {
    member_ids_.push_back(str(member.id));
    instance_ids_.push_back(member.instance ? str(*member.instance) : muster_str{nullptr, 0});
    const auto rack = std::ranges::find(rack_names_, member.rack.value_or(""));
    member_racks_.push_back(rack == rack_names_.end()
                                ? MUSTER_NONE
                                : static_cast<std::uint32_t>(rack - rack_names_.begin()));
    member_subscription_.push_back(member.subscription);
  }
  std::vector<std::uint32_t> order(group.members.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t m) {
    const Member& member = group.members[m];
    return std::tuple(!member.instance.has_value(), member.instance.value_or(""), member.id);
  });
  instance_rank_.resize(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) instance_rank_[order[place]] = place;
  table_.member_count = static_cast<std::uint32_t>(group.members.size());
  table_.member_ids = member_ids_.data();
  table_.instance_ids = instance_ids_.data();
  table_.instance_rank = instance_rank_.data();
  table_.member_racks = member_racks_.data();
  table_.member_subscription = member_subscription_.data();
}

void GroupView::add_subscriptions(const Group& group) {
  subscription_first_ = {0};
  for (const auto& topics : group.subscriptions) {
    subscription_topics_.insert(subscription_topics_.end(), topics.begin(), topics.end());
    subscription_first_.push_back(static_cast<std::uint32_t>(subscription_topics_.size()));
  }
  table_.subscription_count = static_cast<std::uint32_t>(group.subscriptions.size());
  table_.subscription_first = subscription_first_.data();
  table_.subscription_topics = subscription_topics_.data();
}

}  // namespace muster::assignors
