// Pure: the same view gives the same assignment, whatever thread it runs on.
#include "round_robin.hpp"

#include <cstdint>
#include <vector>

namespace example {

void RoundRobin::assign(const muster::sdk::PartitionView& view,
                        muster::sdk::PartitionSink& out) const {
  std::vector<std::vector<std::uint32_t>> subscribers(view.topic_count());
  for (std::uint32_t member = 0; member < view.member_count(); ++member) {
    for (const std::uint32_t topic : view.subscribed_topics(member)) {
      subscribers[topic].push_back(member);
    }
  }
  std::uint32_t turn = 0;
  for (std::uint32_t topic = 0; topic < view.topic_count(); ++topic) {
    const auto& members = subscribers[topic];
    if (members.empty()) continue;
    const std::uint32_t end = view.topic_first()[topic + 1];
    for (std::uint32_t partition = view.topic_first()[topic]; partition < end; ++partition) {
      out.assign(partition, members[turn++ % members.size()]);
    }
  }
}

}  // namespace example
