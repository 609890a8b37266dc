// The checks of outcome.hpp, written for clarity and not for speed. Tests only.
#include "outcome.hpp"

#include <algorithm>

namespace muster::assignors {
namespace {

// Calls body(topic, partition) for each partition until it returns false.
template <class Body>
void each_partition(const Group& group, const Body& body) {
  std::uint32_t partition = 0;
  for (std::uint32_t topic = 0; topic < group.topics.size(); ++topic) {
    for (std::uint32_t i = 0; i < group.topics[topic]; ++i) {
      if (!body(topic, partition++)) return;
    }
  }
}

std::vector<std::uint32_t> subscribers(const Group& group, std::uint32_t topic) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t m = 0; m < group.members.size(); ++m) {
    if (group.is_subscribed(m, topic)) found.push_back(m);
  }
  return found;
}

}  // namespace

std::vector<std::uint32_t> loads(const Group& group, const Owners& owners) {
  std::vector<std::uint32_t> loads(group.members.size());
  for (const std::uint32_t owner : owners) {
    if (owner != MUSTER_NONE) ++loads.at(owner);
  }
  return loads;
}

std::uint32_t moves(const Group& group, const Owners& owners) {
  std::uint32_t moved = 0;
  for (std::size_t p = 0; p < group.current.size(); ++p) {
    moved += group.current[p] != MUSTER_NONE && group.current[p] != owners[p] ? 1 : 0;
  }
  return moved;
}

testing::AssertionResult is_complete(const Group& group, const Owners& owners) {
  auto result = testing::AssertionSuccess();
  each_partition(group, [&](std::uint32_t topic, std::uint32_t p) {
    if (owners[p] == MUSTER_NONE && subscribers(group, topic).empty()) return true;
    if (owners[p] < group.members.size() && group.is_subscribed(owners[p], topic)) return true;
    result = testing::AssertionFailure() << "partition " << p << " of topic " << topic
                                         << " belongs to " << owners[p];
    return false;
  });
  return result;
}

testing::AssertionResult is_even(const Group& group, const Owners& owners) {
  const auto each = loads(group, owners);
  const auto [least, most] = std::ranges::minmax_element(each);
  if (each.empty() || *most - *least <= 1) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "loads from " << *least << " to " << *most;
}

testing::AssertionResult is_settled(const Group& group, const Owners& owners) {
  const auto each = loads(group, owners);
  auto result = testing::AssertionSuccess();
  each_partition(group, [&](std::uint32_t topic, std::uint32_t p) {
    for (const std::uint32_t m : subscribers(group, topic)) {
      if (each[owners[p]] <= each[m] + 1) continue;
      result = testing::AssertionFailure() << "partition " << p << " of topic " << topic
                                           << " could go from " << owners[p] << " to " << m;
      return false;
    }
    return true;
  });
  return result;
}

}  // namespace muster::assignors
