// What a group subscribes to: each topic with the number of members that name it and of regular
// expressions that match it; and, for a shard, the way back from a topic to its groups. Owner: the
// shard's state; written by replay only. [shard]
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "member.hpp"

namespace muster::consumer {

// The groups of a shard by the topics they subscribe to, so that a change of a topic finds them.
class GroupsByTopic {
 public:
  using Groups = std::set<std::string, std::less<>>;

  void add(std::string_view topic, std::string_view group);
  void remove(std::string_view topic, std::string_view group);
  // NULL: nobody subscribes.
  [[nodiscard]] const Groups* find(std::string_view topic) const;

 private:
  std::map<std::string, Groups, std::less<>> groups_;
};

struct SubscriptionCount {
  std::int32_t by_name = 0;
  std::int32_t by_regex = 0;

  [[nodiscard]] bool none() const { return by_name <= 0 && by_regex <= 0; }
};

// A change that a decision thinks through before it is made. Views: good as long as their owners.
class SubscriptionChange {
 public:
  void by_name(const TopicNames& topics, std::int32_t delta);
  void by_regex(const TopicNames& topics, std::int32_t delta);

 private:
  friend class SubscribedTopics;
  std::map<std::string_view, SubscriptionCount> deltas_;
};

class SubscribedTopics {
 public:
  using Counts = std::map<std::string, SubscriptionCount, std::less<>>;

  SubscribedTopics(GroupsByTopic* index, std::string_view group) : index_(index), group_(group) {}
  SubscribedTopics(const SubscribedTopics&) = delete;
  SubscribedTopics& operator=(const SubscribedTopics&) = delete;
  ~SubscribedTopics();

  void apply(const SubscriptionChange& change);

  [[nodiscard]] bool contains(std::string_view topic) const { return counts_.contains(topic); }
  [[nodiscard]] const Counts& counts() const { return counts_; }
  // Names that would be subscribed to after the change, ascending.
  [[nodiscard]] std::vector<std::string_view> after(const SubscriptionChange& change) const;

 private:
  GroupsByTopic* index_;
  std::string group_;
  Counts counts_;
};

// Makes members with equal lists share one.
class TopicNamesPool {
 public:
  // `names` in any order, possibly repeated.
  SharedTopicNames share(std::span<const std::string_view> names);
  // One holder is done with it.
  void let_go(SharedTopicNames list);

 private:
  struct ByContent {
    bool operator()(const SharedTopicNames& a, const SharedTopicNames& b) const { return *a < *b; }
  };
  std::set<SharedTopicNames, ByContent> lists_;
};

// Ascending and distinct.
TopicNames to_topic_names(std::span<const std::string_view> names);
// Whether `names`, in any order and possibly repeated, are exactly `sorted`.
bool same_names(std::span<const std::string_view> names, const TopicNames& sorted);

}  // namespace muster::consumer
