// All topics at one moment. Immutable; shared between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <muster/protocol/types.hpp>

#include "partition/partition.hpp"
#include "topics/topic_config.hpp"

namespace muster::embedded {

struct Topic {
  std::string name;
  protocol::Uuid id;
  bool internal = false;
  std::shared_ptr<const TopicConfig> config;
  std::vector<std::shared_ptr<Partition>> partitions;

  // Null where there is no such partition.
  const std::shared_ptr<Partition>* partition(std::int32_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= partitions.size()) return nullptr;
    return &partitions[static_cast<std::size_t>(index)];
  }
};

using TopicPtr = std::shared_ptr<const Topic>;

class TopicSet {
 public:
  TopicSet() = default;
  explicit TopicSet(std::vector<TopicPtr> topics);

  // Ascending by name.
  const std::vector<TopicPtr>& all() const { return by_name_; }
  // Null: no such topic.
  const Topic* by_name(std::string_view name) const;
  const Topic* by_id(const protocol::Uuid& id) const;

 private:
  std::vector<TopicPtr> by_name_;
  std::unordered_map<protocol::Uuid, const Topic*> by_id_;
};

using Topics = std::shared_ptr<const TopicSet>;

}  // namespace muster::embedded
