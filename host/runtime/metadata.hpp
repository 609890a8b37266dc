// The cluster's topics as an immutable snapshot with a version, and its changes.
//
// The broker plugin reports changes from any thread, one call at a time; readers take a snapshot
// and keep it as long as they like. The topic hash of Kafka's metadata hash is computed here, once
// per change.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <muster/abi/broker.h>
#include "runtime/bytes.hpp"

namespace muster::host {

class TopicInfo {
 public:
  explicit TopicInfo(const muster_topic& source);
  TopicInfo(const TopicInfo&) = delete;
  TopicInfo& operator=(const TopicInfo&) = delete;

  const muster_topic& view() const { return view_; }
  std::string_view name() const { return name_; }

 private:
  std::string name_;
  std::vector<std::string> rack_names_;
  std::vector<muster_str> racks_;
  std::vector<std::uint32_t> rack_offsets_;
  muster_topic view_{};
};

// XXH3-64 of the topic as Kafka's metadata hash takes it (KIP-848).
std::uint64_t topic_hash(const muster_topic& topic);

class MetadataSnapshot {
 public:
  using Topics =
      std::map<std::string_view, std::shared_ptr<const TopicInfo>>;  // keys live in the values

  MetadataSnapshot(Topics topics, std::uint64_t version);
  MetadataSnapshot(const MetadataSnapshot&) = delete;
  MetadataSnapshot& operator=(const MetadataSnapshot&) = delete;

  const muster_metadata_view* view() const { return &view_; }
  const Topics& topics() const { return topics_; }
  const muster_topic* by_name(std::string_view name) const;

 private:
  struct IdHash {
    std::size_t operator()(const muster_uuid& id) const;
  };
  struct IdEqual {
    bool operator()(const muster_uuid& a, const muster_uuid& b) const;
  };

  Topics topics_;
  std::vector<const muster_topic*> ordered_;
  std::unordered_map<std::string_view, const muster_topic*> names_;
  std::unordered_map<muster_uuid, const muster_topic*, IdHash, IdEqual> ids_;
  muster_metadata_view view_{};
};

using SnapshotPtr = std::shared_ptr<const MetadataSnapshot>;

// A change as it travels to the shards: the snapshot after it and what happened.
struct MetadataChange {
  SnapshotPtr snapshot;
  std::vector<std::string> names;
  std::vector<muster_topic_change> changes;  // names point into `names`
};

class Metadata {
 public:
  using Listener = std::function<void(std::shared_ptr<const MetadataChange>)>;

  Metadata();
  Metadata(const Metadata&) = delete;
  Metadata& operator=(const Metadata&) = delete;

  const muster_metadata_events* events() const { return &events_; }
  const muster_metadata_v1* service() const { return &service_; }
  SnapshotPtr current() const;
  // Called in change order, on the thread that brought the change. Set before the broker is
  // watched.
  void on_change(Listener listener) { listener_ = std::move(listener); }

 private:
  void apply(const muster_topic* const* topics, const muster_topic_change* changes,
             std::uint32_t count);

  std::mutex applying_;
  mutable std::mutex mutex_;
  SnapshotPtr current_;
  std::uint64_t version_ = 0;
  Listener listener_;
  muster_metadata_events events_{};
  muster_metadata_v1 service_{};
  std::mutex held_mutex_;
  std::unordered_map<const muster_metadata_view*, std::pair<SnapshotPtr, std::size_t>> held_;
};

}  // namespace muster::host
