// See topic_set.hpp.
#include "topic_set.hpp"

#include <algorithm>
#include <utility>

namespace muster::embedded {

TopicSet::TopicSet(std::vector<TopicPtr> topics) : by_name_(std::move(topics)) {
  std::ranges::sort(by_name_, {}, [](const TopicPtr& topic) { return topic->name; });
  for (const TopicPtr& topic : by_name_) by_id_.emplace(topic->id, topic.get());
}

const Topic* TopicSet::by_name(std::string_view name) const {
  const auto at = std::ranges::lower_bound(
      by_name_, name, {}, [](const TopicPtr& topic) { return std::string_view(topic->name); });
  return at != by_name_.end() && (*at)->name == name ? at->get() : nullptr;
}

const Topic* TopicSet::by_id(const protocol::Uuid& id) const {
  const auto at = by_id_.find(id);
  return at == by_id_.end() ? nullptr : at->second;
}

}  // namespace muster::embedded
