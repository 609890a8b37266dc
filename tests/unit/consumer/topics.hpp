// The topics of a test: text for partitions both ways. Remembers names of deleted ones. Tests only.
#pragma once

#include <muster/protocol/types.hpp>
#include <muster/testing/fake_metadata.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace muster::consumer {

class Topics {
 public:
  explicit Topics(testing::FakeMetadata& metadata) : metadata_(metadata) {}

  void put(const std::string& name, testing::FakeTopic spec);

  [[nodiscard]] std::string name_of(const protocol::Uuid& id) const;
  [[nodiscard]] protocol::Uuid id_of(const std::string& name) const;

  // "foo:0,1 bar:2", topics by name.
  template <class Grouped>
  std::string text_of(const std::vector<Grouped>& topics) const {
    std::vector<std::pair<protocol::Uuid, std::vector<std::int32_t>>> plain;
    for (const auto& topic : topics) plain.emplace_back(topic.topic_id, topic.partitions);
    return text_of_plain(plain);
  }
  template <class Grouped>
  std::vector<Grouped> parse(const std::string& text) const {
    std::vector<Grouped> out;
    for (auto& [id, partitions] : parse_plain(text)) {
      Grouped& topic = out.emplace_back();
      topic.topic_id = id;
      topic.partitions = std::move(partitions);
    }
    return out;
  }

 private:
  using Plain = std::vector<std::pair<protocol::Uuid, std::vector<std::int32_t>>>;
  std::string text_of_plain(const Plain& topics) const;
  Plain parse_plain(const std::string& text) const;

  testing::FakeMetadata& metadata_;
  std::map<protocol::Uuid, std::string> names_;
  std::map<std::string, protocol::Uuid> ids_;  // the newest of each name
};

}  // namespace muster::consumer
