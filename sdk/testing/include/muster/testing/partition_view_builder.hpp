// Builds the view that a partition assignor gets from topics and members told by name, with every
// order and index as the host makes them. Tests only; one thread.
#pragma once

#include <muster/abi/partition_assignor.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <muster/testing/fake_metadata.hpp>

namespace muster::testing {

struct ViewMember {
  std::string id;
  std::vector<std::string> topics;
  std::string instance = {};                                    // empty: dynamic
  std::string rack = {};                                        // empty: none
  std::map<std::string, std::vector<std::uint32_t>> owns = {};  // topic -> partitions, from before
};

class PartitionViewBuilder {
 public:
  PartitionViewBuilder() = default;
  PartitionViewBuilder(const PartitionViewBuilder&) = delete;
  PartitionViewBuilder& operator=(const PartitionViewBuilder&) = delete;

  // Topic ids ascend in the order of these calls. racks: per partition, sorted.
  PartitionViewBuilder& topic(std::string name, std::uint32_t partitions,
                              std::vector<std::vector<std::string>> racks = {}) {
    topics_.push_back({std::move(name), partitions, std::move(racks)});
    return *this;
  }
  PartitionViewBuilder& id(std::string group_id) {
    id_ = std::move(group_id);
    return *this;
  }
  PartitionViewBuilder& member(ViewMember member) {
    if (!members_.emplace(member.id, member).second) throw std::logic_error("member twice");
    return *this;
  }

  // Good until the next build, or the end of this object.
  const muster_partition_assignor_view& build() {
    arrays_ = {};
    add_topics();
    add_subscriptions();
    add_members();
    add_racks();
    add_owners();
    fill();
    return view_;
  }

  // Partition numbers of the view by name, for expectations.
  std::uint32_t partition(std::string_view topic, std::uint32_t number) const {
    return arrays_.topic_first.at(topic_index(topic)) + number;
  }
  std::uint32_t member_index(const std::string& id) const {
    const auto found = members_.find(id);
    if (found == members_.end()) throw std::logic_error("no member " + id);
    return static_cast<std::uint32_t>(std::distance(members_.begin(), found));
  }

 private:
  struct Topic {
    std::string name;
    std::uint32_t partitions;
    std::vector<std::vector<std::string>> racks;
  };
  struct Arrays {
    std::vector<const Topic*> topics;
    std::vector<muster_str> topic_names, member_ids, instance_ids, racks;
    std::vector<muster_uuid> topic_ids;
    std::vector<std::uint32_t> topic_first, instance_rank, member_racks, member_subscription,
        subscription_first, subscription_topics, current_owner, partition_rack_first,
        partition_racks;
  };

  static muster_str text(const std::string& of) { return {of.data(), of.size()}; }
  template <class T>
  static std::uint32_t count(const std::vector<T>& of) {
    return static_cast<std::uint32_t>(of.size());
  }

  // The topic's place in the view; its size if nobody subscribes it.
  std::size_t topic_index(std::string_view name) const {
    std::size_t at = 0;
    while (at < arrays_.topics.size() && arrays_.topics[at]->name != name) ++at;
    return at;
  }
  bool subscribed(const std::string& topic) const {
    return std::any_of(members_.begin(), members_.end(), [&](const auto& entry) {
      const auto& topics = entry.second.topics;
      return std::find(topics.begin(), topics.end(), topic) != topics.end();
    });
  }

  void add_topics() {
    arrays_.topic_first.push_back(0);
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      if (!subscribed(topics_[i].name)) continue;
      arrays_.topics.push_back(&topics_[i]);
      arrays_.topic_names.push_back(text(topics_[i].name));
      arrays_.topic_ids.push_back(FakeMetadata::id_of(i + 1));
      arrays_.topic_first.push_back(arrays_.topic_first.back() + topics_[i].partitions);
    }
  }

  void add_subscriptions() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    arrays_.subscription_first.push_back(0);
    for (const auto& [id, member] : members_) {
      std::vector<std::uint32_t> topics;
      for (const std::string& topic : member.topics) {
        const std::size_t at = topic_index(topic);
        if (at < arrays_.topics.size()) topics.push_back(static_cast<std::uint32_t>(at));
      }
      std::sort(topics.begin(), topics.end());
      topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
      const auto [found, added] = known.emplace(topics, count(arrays_.subscription_first) - 1);
      if (added) {
        auto& all = arrays_.subscription_topics;
        all.insert(all.end(), topics.begin(), topics.end());
        arrays_.subscription_first.push_back(count(all));
      }
      arrays_.member_subscription.push_back(found->second);
    }
  }

  void add_members() {
    std::vector<std::tuple<bool, std::string, std::uint32_t>> ranked;
    for (const auto& [id, member] : members_) {
      const bool dynamic = member.instance.empty();
      ranked.emplace_back(dynamic, dynamic ? id : member.instance, count(arrays_.member_ids));
      arrays_.member_ids.push_back(text(id));
      arrays_.instance_ids.push_back(dynamic ? muster_str{nullptr, 0} : text(member.instance));
    }
    std::sort(ranked.begin(), ranked.end());
    arrays_.instance_rank.resize(members_.size());
    for (std::uint32_t rank = 0; rank < ranked.size(); ++rank) {
      arrays_.instance_rank[std::get<2>(ranked[rank])] = rank;
    }
  }

  void add_racks() {
    std::map<std::string_view, std::uint32_t> racks;
    for (const auto& [id, member] : members_) {
      if (!member.rack.empty()) racks.emplace(member.rack, 0);
    }
    for (const Topic* topic : arrays_.topics) {
      for (const auto& partition : topic->racks) {
        for (const std::string& rack : partition) racks.emplace(rack, 0);
      }
    }
    for (auto& [rack, index] : racks) {
      index = count(arrays_.racks);
      arrays_.racks.push_back({rack.data(), rack.size()});
    }
    for (const auto& [id, member] : members_) {
      arrays_.member_racks.push_back(member.rack.empty() ? MUSTER_NONE : racks.at(member.rack));
    }
    arrays_.partition_rack_first.push_back(0);
    for (const Topic* topic : arrays_.topics) {
      for (std::uint32_t p = 0; p < topic->partitions; ++p) {
        if (p < topic->racks.size()) {
          for (const std::string& rack : topic->racks[p]) {
            arrays_.partition_racks.push_back(racks.at(rack));
          }
        }
        arrays_.partition_rack_first.push_back(count(arrays_.partition_racks));
      }
    }
  }

  void add_owners() {
    arrays_.current_owner.assign(arrays_.topic_first.back(), MUSTER_NONE);
    for (const auto& [id, member] : members_) {
      for (const auto& [topic, partitions] : member.owns) {
        if (topic_index(topic) == arrays_.topics.size()) continue;
        for (const std::uint32_t number : partitions) {
          arrays_.current_owner.at(partition(topic, number)) = member_index(id);
        }
      }
    }
  }

  void fill() {
    view_ = {};
    view_.struct_size = sizeof view_;
    view_.topic_count = count(arrays_.topics);
    view_.topic_names = arrays_.topic_names.data();
    view_.topic_ids = arrays_.topic_ids.data();
    view_.topic_first = arrays_.topic_first.data();
    view_.member_count = count(arrays_.member_ids);
    view_.member_ids = arrays_.member_ids.data();
    view_.instance_ids = arrays_.instance_ids.data();
    view_.instance_rank = arrays_.instance_rank.data();
    view_.member_racks = arrays_.member_racks.data();
    view_.subscription_count = count(arrays_.subscription_first) - 1;
    view_.member_subscription = arrays_.member_subscription.data();
    view_.subscription_first = arrays_.subscription_first.data();
    view_.subscription_topics = arrays_.subscription_topics.data();
    view_.current_owner = arrays_.current_owner.data();
    view_.rack_count = count(arrays_.racks);
    view_.racks = arrays_.racks.data();
    view_.partition_rack_first = arrays_.partition_rack_first.data();
    view_.partition_racks = arrays_.partition_racks.data();
    view_.group_id = {id_.data(), id_.size()};
  }

  std::string id_;
  std::vector<Topic> topics_;
  std::map<std::string, ViewMember> members_;
  Arrays arrays_;
  muster_partition_assignor_view view_{};
};

}  // namespace muster::testing
