// Which topics there are, and every change of that. Readers take a snapshot and never wait for a
// change; changes are made one at a time, stored, published and announced as a whole. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <muster/sdk/broker.hpp>

#include "log/log.hpp"
#include "topics/announcer.hpp"
#include "topics/metadata_storage.hpp"
#include "topics/published.hpp"
#include "topics/topic_set.hpp"

namespace muster::embedded {

struct RegistryParts {
  sdk::Host host;
  MetadataStorage& metadata;
  LogStorage& logs;
  TopicDefaults defaults;
  std::string rack;
  std::int64_t producer_expiration_ms = 0;
};

class TopicRegistry {
 public:
  // Opens what is stored; throws sdk::Failure where that cannot be read.
  explicit TopicRegistry(RegistryParts parts);

  Topics current() const { return published_.get(); }
  const TopicDefaults& defaults() const { return parts_.defaults; }
  void watch(sdk::MetadataEvents events);

  struct NewTopic {
    std::string name;
    protocol::Uuid id;
    std::int32_t partition_count = 0;
    TopicConfig config;
  };

  // Changes under way: holds off all others until it is committed or dropped.
  class Change {
   public:
    // As it was before, without what was planned here.
    const TopicSet& before() const { return *before_; }
    // Whether the name differs from a topic's only in '.' and '_'; the topic's name if so.
    std::optional<std::string> collision(std::string_view name) const;

    void create(NewTopic topic);
    void remove(const Topic& topic);
    void grow(const Topic& topic, std::int32_t partition_count);
    // Nobody outside the broker is told: a topic's configs are not part of what the host knows.
    void configure(const Topic& topic, TopicConfig config);
    // Stored, visible to all, and known to the host when this returns.
    Stored<void> commit();

   private:
    friend class TopicRegistry;
    explicit Change(TopicRegistry& registry);
    Stored<void> open_new();
    Stored<void> open_grown();
    void make_configured();
    template <class Do>
    void for_each_removed(Do each) const;
    void publish();
    void log() const;

    struct Growth {
      const Topic* topic;
      std::int32_t partition_count;
    };

    TopicRegistry& registry_;
    std::unique_lock<std::mutex> lock_;
    Topics before_;
    std::vector<NewTopic> created_;
    struct Reconfiguration {
      const Topic* topic;
      TopicConfig config;
    };

    std::vector<Growth> grown_;
    std::vector<Reconfiguration> configured_;
    std::vector<const Topic*> removed_;
    StoredChange stored_;
    std::vector<TopicNews> news_;
    std::vector<TopicPtr> quiet_news_;
  };

  Change change() { return Change(*this); }

 private:
  Stored<std::shared_ptr<Topic>> open(const StoredTopic& stored);
  void remember_name(const std::string& name);
  void forget_name(const std::string& name);
  Stored<std::shared_ptr<Partition>> open_partition(const protocol::Uuid& topic,
                                                    std::int32_t index);

  RegistryParts parts_;
  Announcer announcer_;
  Published<TopicSet> published_;
  std::mutex mutex_;
  // Guarded by mutex_: names that are alike but for '.' and '_', by what they have in common.
  std::map<std::string, std::set<std::string>> alike_;
};

}  // namespace muster::embedded
