// Topics come, grow and go.
#include "topics.hpp"

#include <algorithm>

namespace muster::simulation {

void Topics::put(const std::string& name, std::uint32_t partitions) {
  Topic& topic = topics_[name];
  const bool is_new = topic.partitions == 0;
  topic.partitions = partitions;
  if (is_new) {
    // Ids in no order of names, so that nothing comes to lean on one.
    topic.id.bytes[0] = static_cast<std::uint8_t>(++made_ * 37);
    topic.id.bytes[15] = made_;
    names_[topic.id] = name;
  }
  tell(name, topic, is_new ? MUSTER_TOPIC_CREATED : MUSTER_TOPIC_CHANGED);
}

void Topics::remove(const std::string& name) {
  const Topic topic = topics_.at(name);
  topics_.erase(name);
  tell(name, topic, MUSTER_TOPIC_DELETED);
}

bool Topics::exists(const protocol::Uuid& id) const {
  const auto found = topics_.find(name_of(id));
  return found != topics_.end() && found->second.id == id;
}

std::string Topics::text(const Partitions& partitions) const {
  std::string out;
  for (const auto& [topic, partition] : partitions) {
    out += (out.empty() ? "" : " ") + name_of(topic) + "-" + std::to_string(partition);
  }
  return "{" + out + "}";
}

void Topics::tell(const std::string& name, const Topic& topic, std::int32_t what) {
  host_.trace.add("topic " + name + (what == MUSTER_TOPIC_DELETED
                                         ? " deleted"
                                         : " has " + std::to_string(topic.partitions)));
  muster_topic told{};
  told.struct_size = sizeof told;
  told.name = host::to_abi(std::string_view(name));
  std::ranges::copy(topic.id.bytes, told.id.bytes);
  told.partition_count = topic.partitions;
  host_.tell(what == MUSTER_TOPIC_DELETED ? nullptr : &told, {told.name, told.id, what});
}

}  // namespace muster::simulation
