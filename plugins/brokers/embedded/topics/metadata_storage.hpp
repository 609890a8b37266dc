// The port between the broker and whatever keeps its metadata: cluster id, topics, producer ids.
// Any thread: topics change one change at a time, ids may be reserved beside that.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include <muster/protocol/types.hpp>

#include "log/log.hpp"
#include "topics/topic_config.hpp"

namespace muster::embedded {

struct StoredTopic {
  std::string name;
  protocol::Uuid id;
  std::int32_t partition_count = 0;
  ConfigOverrides configs;
};

struct StoredChange {
  std::vector<StoredTopic> put;  // new ones, and known ones (by id) in their new shape
  std::vector<protocol::Uuid> removed;
};

class MetadataStorage {
 public:
  virtual ~MetadataStorage() = default;

  virtual std::string cluster_id() const = 0;
  virtual Stored<std::vector<StoredTopic>> topics() const = 0;
  // All of it or nothing; with a topic go its logs.
  virtual Stored<void> apply(const StoredChange& change) = 0;
  // The first of `count` producer ids that were never given out before.
  virtual Stored<std::int64_t> reserve_producer_ids(std::int64_t count) = 0;
};

// For a broker whose topics end with the process.
class MemoryMetadata final : public MetadataStorage {
 public:
  explicit MemoryMetadata(const protocol::Uuid& cluster_id) : cluster_id_(cluster_id) {}

  std::string cluster_id() const override { return cluster_id_.to_string(); }
  Stored<std::vector<StoredTopic>> topics() const override { return {}; }
  Stored<void> apply(const StoredChange&) override { return {}; }
  Stored<std::int64_t> reserve_producer_ids(std::int64_t count) override {
    const std::int64_t first = next_producer_id_;
    next_producer_id_ += count;
    return first;
  }

 private:
  protocol::Uuid cluster_id_;
  std::int64_t next_producer_id_ = 0;
};

}  // namespace muster::embedded
