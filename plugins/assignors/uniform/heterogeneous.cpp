// Uniform assignment where members want different topics: keep what is still wanted, give the rest
// to the least loaded, then move from the most to the least loaded until nothing improves.
#include <algorithm>
#include <numeric>
#include <vector>

#include "levels.hpp"
#include "subscribers.hpp"
#include "uniform.hpp"

namespace muster::uniform {
namespace {

// Kafka's limit: overlapping subscriptions converge slowly, each round about halves the imbalance.
constexpr int rounds_max = 16;

constexpr std::uint32_t never = UINT32_MAX;

class Assignment {
 public:
  Assignment(const sdk::PartitionView& view, std::span<std::uint32_t> owner)
      : view_(view),
        first_(view.topic_first()),
        owner_(owner),
        subscribers_(view),
        loads_(view.member_count()),
        unowned_(view.topic_count()),
        last_held_(view.member_count()),
        even_since_(subscribers_.list_count(), never),
        levels_(loads_) {}

  void run();

 private:
  std::uint32_t partition_count(std::uint32_t topic) const {
    return first_[topic + 1] - first_[topic];
  }
  void keep_wanted();
  std::vector<std::uint32_t> topics_in_order() const;
  void give_unowned(std::uint32_t topic);
  void balance(std::span<const std::uint32_t> topics);
  std::uint32_t balance_topic(std::uint32_t topic);
  void chain_partitions(std::uint32_t topic);

  const sdk::PartitionView& view_;
  const sdk::PartitionView::Indexes first_;  // by topic: its first partition
  const std::span<std::uint32_t> owner_;
  const Subscribers subscribers_;
  std::vector<std::uint32_t> loads_;    // by member: partitions of all topics
  std::vector<std::uint32_t> unowned_;  // by topic
  // While a topic is balanced: each member's highest partition, and by partition of the topic the
  // next lower one of the same member.
  std::vector<std::uint32_t> last_held_;
  std::vector<std::uint32_t> lower_held_;
  std::uint32_t moves_ = 0;
  // By subscriber list: moves_ when its loads were last seen to be even.
  std::vector<std::uint32_t> even_since_;
  Levels levels_;
};

void Assignment::keep_wanted() {
  std::ranges::fill(owner_, MUSTER_NONE);
  std::vector<std::uint32_t> topics(view_.topic_count());
  std::iota(topics.begin(), topics.end(), 0u);
  std::ranges::sort(topics, {}, [&](std::uint32_t t) { return subscribers_.list_of(t); });
  const auto current = view_.current_owner();
  // The members of the list at hand bear its number; topics of one list follow each other.
  std::vector<std::uint32_t> mark(view_.member_count(), never);
  std::uint32_t marked = never;
  for (const std::uint32_t topic : topics) {
    const std::uint32_t list = subscribers_.list_of(topic);
    if (list != marked) {
      for (const std::uint32_t member : subscribers_.list(list)) mark[member] = list;
      marked = list;
    }
    for (std::uint32_t p = first_[topic]; p < first_[topic + 1]; ++p) {
      const std::uint32_t owner = current[p];
      if (owner < view_.member_count() && mark[owner] == list) {
        owner_[p] = owner;
        ++loads_[owner];
      } else {
        ++unowned_[topic];
      }
    }
  }
}

// More partitions per subscriber first, then fewer subscribers, then id. Topics that nobody wants
// are left out.
std::vector<std::uint32_t> Assignment::topics_in_order() const {
  struct Key {
    double per_subscriber;
    std::uint32_t subscribers, topic;
  };
  std::vector<Key> keys;
  keys.reserve(view_.topic_count());
  for (std::uint32_t t = 0; t < view_.topic_count(); ++t) {
    const auto subscribers = static_cast<std::uint32_t>(subscribers_.of(t).size());
    if (subscribers == 0) continue;
    keys.push_back({static_cast<double>(partition_count(t)) / subscribers, subscribers, t});
  }
  std::ranges::sort(keys, [](const Key& a, const Key& b) {
    if (a.per_subscriber != b.per_subscriber) return a.per_subscriber > b.per_subscriber;
    if (a.subscribers != b.subscribers) return a.subscribers < b.subscribers;
    return a.topic < b.topic;
  });
  std::vector<std::uint32_t> topics;
  topics.reserve(keys.size());
  for (const Key& key : keys) topics.push_back(key.topic);
  return topics;
}

void Assignment::give_unowned(std::uint32_t topic) {
  if (unowned_[topic] == 0) return;
  levels_.start_low(subscribers_.of(topic), unowned_[topic]);
  for (std::uint32_t p = first_[topic]; p < first_[topic + 1]; ++p) {
    if (owner_[p] != MUSTER_NONE) continue;
    owner_[p] = levels_.next_low();
    ++loads_[owner_[p]];
  }
}

void Assignment::balance(std::span<const std::uint32_t> topics) {
  constexpr auto none = static_cast<std::size_t>(-1);
  std::size_t last_changed = none;
  for (int round = 0; round < rounds_max; ++round) {
    for (std::size_t i = 0; i < topics.size(); ++i) {
      // Once around without a change: nothing more will.
      if (i == last_changed) return;
      if (balance_topic(topics[i]) > 0 || last_changed == none) last_changed = i;
    }
  }
}

void Assignment::chain_partitions(std::uint32_t topic) {
  const std::uint32_t first = first_[topic];
  const std::uint32_t count = partition_count(topic);
  lower_held_.resize(count);
  for (const std::uint32_t member : subscribers_.of(topic)) last_held_[member] = never;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t& last = last_held_[owner_[first + i]];
    lower_held_[i] = last;
    last = i;
  }
}

// Returns how many partitions moved. Each moves once at most: what a member just got is not in its
// chain.
std::uint32_t Assignment::balance_topic(std::uint32_t topic) {
  const auto subscribers = subscribers_.of(topic);
  std::uint32_t& even_since = even_since_[subscribers_.list_of(topic)];
  if (even_since == moves_) return 0;
  if (levels_.spread(subscribers) <= 1) {
    even_since = moves_;
    return 0;
  }
  levels_.start(subscribers);
  chain_partitions(topic);
  const std::uint32_t first = first_[topic];
  std::uint32_t moved = 0;
  while (!levels_.balanced()) {
    std::uint32_t giver = levels_.next_high();
    while (giver != MUSTER_NONE && last_held_[giver] == never) {
      levels_.exclude_high();
      giver = levels_.next_high();
    }
    if (giver == MUSTER_NONE) break;
    const std::uint32_t partition = last_held_[giver];
    last_held_[giver] = lower_held_[partition];
    const std::uint32_t taker = levels_.next_low();
    if (levels_.balanced()) break;
    owner_[first + partition] = taker;
    --loads_[giver];
    ++loads_[taker];
    ++moved;
  }
  moves_ += moved;
  return moved;
}

void Assignment::run() {
  keep_wanted();
  std::vector<std::uint32_t> topics = topics_in_order();
  for (const std::uint32_t topic : topics) give_unowned(topic);
  std::erase_if(topics, [&](std::uint32_t t) { return subscribers_.of(t).size() < 2; });
  balance(topics);
}

}  // namespace

void assign_heterogeneous(const sdk::PartitionView& view, std::span<std::uint32_t> owner) {
  Assignment(view, owner).run();
}

}  // namespace muster::uniform
