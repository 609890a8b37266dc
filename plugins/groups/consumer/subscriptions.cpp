// What a group subscribes to. [shard]
#include "subscriptions.hpp"

#include <algorithm>

namespace muster::consumer {

void GroupsByTopic::add(std::string_view topic, std::string_view group) {
  auto found = groups_.find(topic);
  if (found == groups_.end()) found = groups_.try_emplace(std::string(topic)).first;
  found->second.emplace(group);
}

void GroupsByTopic::remove(std::string_view topic, std::string_view group) {
  const auto found = groups_.find(topic);
  if (found == groups_.end()) return;
  const auto entry = found->second.find(group);
  if (entry != found->second.end()) found->second.erase(entry);
  if (found->second.empty()) groups_.erase(found);
}

const GroupsByTopic::Groups* GroupsByTopic::find(std::string_view topic) const {
  const auto found = groups_.find(topic);
  return found == groups_.end() ? nullptr : &found->second;
}

void SubscriptionChange::by_name(const TopicNames& topics, std::int32_t delta) {
  for (const std::string& topic : topics) deltas_[topic].by_name += delta;
}

void SubscriptionChange::by_regex(const TopicNames& topics, std::int32_t delta) {
  for (const std::string& topic : topics) deltas_[topic].by_regex += delta;
}

SubscribedTopics::~SubscribedTopics() {
  for (const auto& [topic, count] : counts_) index_->remove(topic, group_);
}

void SubscribedTopics::apply(const SubscriptionChange& change) {
  for (const auto& [topic, delta] : change.deltas_) {
    auto found = counts_.find(topic);
    const bool known = found != counts_.end();
    if (!known) found = counts_.try_emplace(std::string(topic)).first;
    found->second.by_name += delta.by_name;
    found->second.by_regex += delta.by_regex;
    if (found->second.none()) {
      counts_.erase(found);
      if (known) index_->remove(topic, group_);
    } else if (!known) {
      index_->add(topic, group_);
    }
  }
}

std::vector<std::string_view> SubscribedTopics::after(const SubscriptionChange& change) const {
  std::vector<std::string_view> names;
  names.reserve(counts_.size() + change.deltas_.size());
  auto delta = change.deltas_.begin();
  const auto add_new_before = [&](std::string_view* limit) {
    for (; delta != change.deltas_.end() && (limit == nullptr || delta->first < *limit); ++delta) {
      if (!delta->second.none()) names.push_back(delta->first);
    }
  };
  for (const auto& [topic, count] : counts_) {
    std::string_view name = topic;
    add_new_before(&name);
    SubscriptionCount sum = count;
    if (delta != change.deltas_.end() && delta->first == name) {
      sum.by_name += delta->second.by_name;
      sum.by_regex += delta->second.by_regex;
      ++delta;
    }
    if (!sum.none()) names.push_back(name);
  }
  add_new_before(nullptr);
  return names;
}

TopicNames to_topic_names(std::span<const std::string_view> names) {
  TopicNames out(names.begin(), names.end());
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

bool same_names(std::span<const std::string_view> names, const TopicNames& sorted) {
  if (std::ranges::equal(names, sorted)) return true;
  return to_topic_names(names) == sorted;
}

SharedTopicNames TopicNamesPool::share(std::span<const std::string_view> names) {
  if (names.empty()) return nullptr;
  return *lists_.insert(std::make_shared<const TopicNames>(to_topic_names(names))).first;
}

void TopicNamesPool::let_go(SharedTopicNames list) {
  // The pool's and ours: nobody else is left.
  if (list && list.use_count() == 2) lists_.erase(list);
}

}  // namespace muster::consumer
