// The dense view of a group. [shard]
#include "assignor_view.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "rack_numbers.hpp"

namespace muster::consumer {

AssignorView::AssignorView(std::string_view id, const Group& group, const sdk::Metadata& metadata) {
  add_topics(group, metadata);
  add_members(group);
  add_ranks();
  add_subscriptions(group);
  add_current_owners(group);
  add_racks(group);
  fill_table();
  table_.group_id = sdk::to_str(id);
}

void AssignorView::add_topics(const Group& group, const sdk::Metadata& metadata) {
  struct Found {
    TopicId id;
    sdk::Topic topic;
  };
  std::vector<Found> found;
  for (const auto& [name, count] : group.subscribed_topics().counts()) {
    if (const auto topic = metadata.by_name(name)) {
      found.push_back({TopicId::of(topic->id()), *topic});
    }
  }
  std::ranges::sort(found, {}, &Found::id);
  topic_first_.push_back(0);
  topic_by_name_.reserve(found.size());
  for (const auto& [id, topic] : found) {
    topic_by_name_.emplace(topic.name(), static_cast<std::uint32_t>(topics_.size()));
    topics_.push_back(topic);
    ids_.push_back(id);
    topic_names_.push_back(sdk::to_str(topic.name()));
    topic_ids_.push_back(sdk::to_uuid(topic.id()));
    topic_first_.push_back(topic_first_.back() + topic.partition_count());
  }
}

void AssignorView::add_members(const Group& group) {
  const std::size_t count = group.members().size();
  member_ids_.reserve(count);
  instance_ids_.reserve(count);
  for (const auto& [id, member] : group.members()) {
    member_ids_.push_back(sdk::to_str(id));
    const auto& instance = member.metadata.instance_id;
    instance_ids_.push_back(instance ? sdk::to_str(*instance) : muster_str{nullptr, 0});
  }
}

void AssignorView::add_ranks() {
  Indexes order(member_ids_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto dynamic = std::ranges::stable_partition(
      order, [&](std::uint32_t member) { return instance_ids_[member].data != nullptr; });
  std::ranges::stable_sort(order.begin(), dynamic.begin(), {}, [&](std::uint32_t member) {
    return sdk::to_view(instance_ids_[member]);
  });
  instance_rank_.resize(order.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) instance_rank_[order[rank]] = rank;
}

void AssignorView::append_subscription(const Group& group, const MemberMetadata& metadata) {
  const auto begin = static_cast<std::ptrdiff_t>(subscription_topics_.size());
  const auto add = [&](const TopicNames& names) {
    for (const std::string& name : names) {
      const auto topic = topic_by_name_.find(name);
      if (topic != topic_by_name_.end()) subscription_topics_.push_back(topic->second);
    }
  };
  add(metadata.names());
  if (const ResolvedRegex* resolved = group.resolved(metadata.regex())) add(resolved->topics);
  const auto own = subscription_topics_.begin() + begin;
  std::sort(own, subscription_topics_.end());
  subscription_topics_.erase(std::unique(own, subscription_topics_.end()),
                             subscription_topics_.end());
  subscription_first_.push_back(static_cast<std::uint32_t>(subscription_topics_.size()));
}

// What members ask for makes a subscription, not what exists of it: as Kafka tells homogeneous
// groups from others. Equal lists of names are one object.
void AssignorView::add_subscriptions(const Group& group) {
  std::map<std::pair<const TopicNames*, std::string_view>, std::uint32_t> known;
  subscription_first_.push_back(0);
  member_subscription_.reserve(group.members().size());
  for (const auto& [id, member] : group.members()) {
    const auto [entry, is_new] =
        known.try_emplace({member.metadata.topic_names.get(), member.metadata.regex()},
                          static_cast<std::uint32_t>(known.size()));
    if (is_new) append_subscription(group, member.metadata);
    member_subscription_.push_back(entry->second);
  }
  // Names beside an expression make a heterogeneous group in Kafka, even if all have the same. The
  // view says so by a second subscription.
  if (known.size() != 1) return;
  const auto& [names, regex] = known.begin()->first;
  if (names != nullptr && !regex.empty()) {
    append_subscription(group, group.members().begin()->second.metadata);
  }
}

void AssignorView::add_current_owners(const Group& group) {
  current_owner_.assign(topic_first_.back(), MUSTER_NONE);
  auto target = group.targets().begin();
  std::uint32_t index = 0;
  for (const auto& [id, member] : group.members()) {
    while (target != group.targets().end() && target->first < id) ++target;
    if (target == group.targets().end()) return;
    const std::uint32_t owner = index++;
    if (target->first != id) continue;
    auto from = ids_.begin();
    each_topic(std::span<const TopicPartition>(target->second),
               [&](const TopicId& topic, std::span<const TopicPartition> partitions) {
                 from = std::lower_bound(from, ids_.end(), topic);
                 if (from == ids_.end() || *from != topic) return;
                 const auto at = static_cast<std::size_t>(from - ids_.begin());
                 const std::uint32_t first = topic_first_[at];
                 const std::uint32_t size = topic_first_[at + 1] - first;
                 for (const TopicPartition& one : partitions) {
                   const auto number = static_cast<std::uint32_t>(one.partition);
                   if (number < size) current_owner_[first + number] = owner;
                 }
               });
  }
}

void AssignorView::add_racks(const Group& group) {
  RackNumbers numbers;
  for (const auto& [id, member] : group.members()) {
    const auto& rack = member.metadata.rack_id;
    member_racks_.push_back(rack ? numbers.of(*rack) : MUSTER_NONE);
  }
  partition_rack_first_.reserve(topic_first_.back() + 1);
  partition_rack_first_.push_back(0);
  for (const sdk::Topic& topic : topics_) {
    for (std::uint32_t partition = 0; partition < topic.partition_count(); ++partition) {
      for (const std::string_view rack : topic.racks(partition)) {
        partition_racks_.push_back(numbers.of(rack));
      }
      partition_rack_first_.push_back(static_cast<std::uint32_t>(partition_racks_.size()));
    }
  }
  const Indexes place = numbers.places();
  for (std::uint32_t& rack : member_racks_) {
    if (rack != MUSTER_NONE) rack = place[rack];
  }
  for (std::uint32_t& rack : partition_racks_) rack = place[rack];
  for (const std::string_view rack : numbers.sorted()) racks_.push_back(sdk::to_str(rack));
}

void AssignorView::fill_table() {
  const auto count = [](const auto& of) { return static_cast<std::uint32_t>(of.size()); };
  table_.struct_size = sizeof table_;
  table_.topic_count = count(topics_);
  table_.topic_names = topic_names_.data();
  table_.topic_ids = topic_ids_.data();
  table_.topic_first = topic_first_.data();
  table_.member_count = count(member_ids_);
  table_.member_ids = member_ids_.data();
  table_.instance_ids = instance_ids_.data();
  table_.instance_rank = instance_rank_.data();
  table_.member_racks = member_racks_.data();
  table_.subscription_count = count(subscription_first_) - 1;
  table_.member_subscription = member_subscription_.data();
  table_.subscription_first = subscription_first_.data();
  table_.subscription_topics = subscription_topics_.data();
  table_.current_owner = current_owner_.data();
  table_.rack_count = count(racks_);
  table_.racks = racks_.data();
  table_.partition_rack_first = partition_rack_first_.data();
  table_.partition_racks = partition_racks_.data();
}

}  // namespace muster::consumer
