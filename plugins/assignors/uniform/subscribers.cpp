// Builds the subscriber lists of a view. Any thread.
#include "subscribers.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace muster::uniform {
namespace {

// Up to this many subscriptions, the set of those that want a topic fits one word.
constexpr std::uint32_t shared_subscriptions_max = 64;

}  // namespace

Subscribers::Subscribers(const sdk::PartitionView& view) : list_of_topic_(view.topic_count()) {
  const bool few = view.subscription_count() <= shared_subscriptions_max;
  fill(view, few ? shared_lists(view) : one_list_a_topic(view));
}

Subscribers::ListsOf Subscribers::one_list_a_topic(const sdk::PartitionView& view) {
  std::iota(list_of_topic_.begin(), list_of_topic_.end(), 0u);
  first_.resize(view.topic_count() + 1);
  ListsOf lists_of(view.subscription_count());
  for (std::uint32_t s = 0; s < lists_of.size(); ++s) lists_of[s] = view.subscription(s);
  return lists_of;
}

Subscribers::ListsOf Subscribers::shared_lists(const sdk::PartitionView& view) {
  std::vector<std::uint64_t> wanted_by(view.topic_count());
  for (std::uint32_t s = 0; s < view.subscription_count(); ++s) {
    for (const std::uint32_t topic : view.subscription(s)) wanted_by[topic] |= 1ULL << s;
  }
  std::vector<std::uint64_t> distinct = wanted_by;
  std::ranges::sort(distinct);
  distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
  for (std::uint32_t t = 0; t < view.topic_count(); ++t) {
    const auto found = std::ranges::lower_bound(distinct, wanted_by[t]);
    list_of_topic_[t] = static_cast<std::uint32_t>(found - distinct.begin());
  }
  first_.resize(distinct.size() + 1);

  std::size_t places = 0;
  for (const std::uint64_t wanted : distinct) places += std::popcount(wanted);
  shared_.reserve(places);
  ListsOf lists_of(view.subscription_count());
  for (std::uint32_t s = 0; s < view.subscription_count(); ++s) {
    const std::size_t start = shared_.size();
    for (std::uint32_t list = 0; list < distinct.size(); ++list) {
      if ((distinct[list] >> s & 1) != 0) shared_.push_back(list);
    }
    lists_of[s] = std::span(shared_).subspan(start);
  }
  return lists_of;
}

void Subscribers::fill(const sdk::PartitionView& view, const ListsOf& lists_of) {
  const auto subscription = view.member_subscription();
  std::vector<std::uint32_t> members_of(view.subscription_count());
  for (const std::uint32_t s : subscription) ++members_of[s];
  for (std::uint32_t s = 0; s < lists_of.size(); ++s) {
    for (const std::uint32_t list : lists_of[s]) first_[list + 1] += members_of[s];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  members_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t m = 0; m < subscription.size(); ++m) {
    for (const std::uint32_t list : lists_of[subscription[m]]) members_[next[list]++] = m;
  }
}

}  // namespace muster::uniform
