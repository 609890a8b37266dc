// The topics of a run; every change is told to the host as a broker tells it. Tests only.
#pragma once

#include <muster/protocol/types.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim_host.hpp"

namespace muster::simulation {

using TopicPartition = std::pair<protocol::Uuid, std::int32_t>;
using Partitions = std::set<TopicPartition>;

class Topics {
 public:
  struct Topic {
    protocol::Uuid id;
    std::uint32_t partitions = 0;
    friend bool operator==(const Topic&, const Topic&) = default;
  };

  explicit Topics(SimHost& host) : host_(host) {}

  // A new topic, or more partitions of one that exists.
  void put(const std::string& name, std::uint32_t partitions);
  void remove(const std::string& name);

  const std::map<std::string, Topic>& all() const { return topics_; }
  // Of deleted topics too.
  std::string name_of(const protocol::Uuid& id) const { return names_.at(id); }
  bool exists(const protocol::Uuid& id) const;
  std::string text(const Partitions& partitions) const;

 private:
  void tell(const std::string& name, const Topic& topic, std::int32_t what);

  SimHost& host_;
  std::map<std::string, Topic> topics_;
  std::map<protocol::Uuid, std::string> names_;
  std::uint8_t made_ = 0;
};

// As messages have them: grouped by topic.
template <class Grouped>
std::vector<Grouped> to_grouped(const Partitions& partitions) {
  std::vector<Grouped> out;
  for (const auto& [topic, partition] : partitions) {
    if (out.empty() || out.back().topic_id != topic) out.emplace_back().topic_id = topic;
    out.back().partitions.push_back(partition);
  }
  return out;
}
template <class Grouped>
Partitions to_partitions(const std::vector<Grouped>& topics) {
  Partitions out;
  for (const Grouped& topic : topics) {
    for (const std::int32_t partition : topic.partitions) out.emplace(topic.topic_id, partition);
  }
  return out;
}

}  // namespace muster::simulation
