// Metadata that a test sets topic by topic, read through the border's own view, and the changes
// that on_metadata is told. Tests only; one thread.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::testing {

struct FakeTopic {
  std::uint32_t partitions = 1;
  std::uint64_t id = 0;    // 0: the next free one
  std::uint64_t hash = 0;  // 0: made of id and partition count, so that any change changes it
  std::vector<std::vector<std::string>> racks = {};  // per partition; sorted
  bool internal = false;
};

class FakeMetadata {
 public:
  // A topic id that is all zero but for its last eight bytes.
  static muster_uuid id_of(std::uint64_t number) {
    muster_uuid id{};
    for (int i = 0; i < 8; ++i) id.bytes[8 + i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
    return id;
  }

  FakeMetadata() = default;
  FakeMetadata(const FakeMetadata&) = delete;
  FakeMetadata& operator=(const FakeMetadata&) = delete;

  // Creates the topic, or changes it if there is one of that name.
  muster_uuid put(const std::string& name, FakeTopic spec = {}) {
    const auto found = topics_.find(name);
    const bool known = found != topics_.end();
    if (spec.id == 0) spec.id = known ? found->second->number : next_id_++;
    topics_[name] = std::make_unique<Topic>(name, spec);
    note(name, id_of(spec.id), known ? MUSTER_TOPIC_CHANGED : MUSTER_TOPIC_CREATED);
    return id_of(spec.id);
  }

  void remove(const std::string& name) {
    const auto found = topics_.find(name);
    if (found == topics_.end()) return;
    note(name, found->second->table.id, MUSTER_TOPIC_DELETED);
    topics_.erase(found);
  }

  const muster_metadata_view* view() {
    view_.struct_size = sizeof view_;
    view_.self = this;
    view_.version = version_;
    view_.topic_count = static_cast<std::uint32_t>(topics_.size());
    return &view_;
  }

  // What happened since the last call, names kept alive by this object.
  std::vector<muster_topic_change> take_changes() {
    std::vector<muster_topic_change> out;
    told_ = std::exchange(changes_, {});
    for (const Change& change : told_) {
      out.push_back({{change.name.data(), change.name.size()}, change.id, change.what});
    }
    return out;
  }

 private:
  struct Topic {
    Topic(const std::string& topic_name, const FakeTopic& spec)
        : number(spec.id), name(topic_name) {
      offsets.push_back(0);
      for (std::uint32_t p = 0; p < spec.partitions; ++p) {
        if (p < spec.racks.size()) {
          names.insert(names.end(), spec.racks[p].begin(), spec.racks[p].end());
        }
        offsets.push_back(static_cast<std::uint32_t>(names.size()));
      }
      for (const std::string& rack : names) racks.push_back({rack.data(), rack.size()});
      const std::uint64_t made_up = (spec.id + 1) * 0x9E3779B97F4A7C15U + spec.partitions;
      table = {sizeof table,          {name.data(), name.size()},
               id_of(spec.id),        spec.partitions,
               spec.internal ? 1 : 0, spec.hash != 0 ? spec.hash : made_up,
               offsets.data(),        racks.data()};
    }
    std::uint64_t number;
    std::string name;
    std::vector<std::string> names;
    std::vector<muster_str> racks;
    std::vector<std::uint32_t> offsets;
    muster_topic table{};
  };
  struct Change {
    std::string name;
    muster_uuid id;
    std::int32_t what;
  };

  void note(const std::string& name, const muster_uuid& id, std::int32_t what) {
    changes_.push_back({name, id, what});
    ++version_;
  }

  static const muster_topic* by_name(void* self, muster_str name) {
    const auto& topics = static_cast<FakeMetadata*>(self)->topics_;
    const auto found = topics.find(std::string_view{name.data, name.size});
    return found == topics.end() ? nullptr : &found->second->table;
  }
  static const muster_topic* by_id(void* self, const muster_uuid* id) {
    for (const auto& [name, topic] : static_cast<FakeMetadata*>(self)->topics_) {
      if (std::memcmp(topic->table.id.bytes, id->bytes, sizeof id->bytes) == 0)
        return &topic->table;
    }
    return nullptr;
  }
  static const muster_topic* at(void* self, std::uint32_t index) {
    const auto& topics = static_cast<FakeMetadata*>(self)->topics_;
    if (index >= topics.size()) return nullptr;
    return &std::next(topics.begin(), index)->second->table;
  }

  std::map<std::string, std::unique_ptr<Topic>, std::less<>> topics_;
  std::vector<Change> changes_;
  std::vector<Change> told_;
  std::uint64_t next_id_ = 1;
  std::uint64_t version_ = 1;
  muster_metadata_view view_{sizeof view_, this, 1, 0, &by_name, &by_id, &at};
};

}  // namespace muster::testing
