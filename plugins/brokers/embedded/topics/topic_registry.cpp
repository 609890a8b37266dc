// See topic_registry.hpp.
#include "topic_registry.hpp"

#include <algorithm>
#include <utility>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

StoredTopic to_stored(const Topic& topic) {
  return {topic.name, topic.id, static_cast<std::int32_t>(topic.partitions.size()),
          topic.config->overrides()};
}

template <class T>
T or_throw(Stored<T> result) {
  if (!result) throw sdk::Failure(MUSTER_CORRUPT, std::move(result.error().what));
  return *std::move(result);
}

}  // namespace

TopicRegistry::TopicRegistry(RegistryParts parts)
    : parts_(std::move(parts)), announcer_(parts_.host, parts_.rack) {
  std::vector<TopicPtr> topics;
  for (const StoredTopic& stored : or_throw(parts_.metadata.topics())) {
    topics.push_back(or_throw(open(stored)));
    remember_name(stored.name);
  }
  published_.set(std::make_shared<TopicSet>(std::move(topics)));
}

void TopicRegistry::watch(sdk::MetadataEvents events) {
  std::unique_lock lock(mutex_);
  std::vector<TopicNews> everything;
  for (const TopicPtr& topic : current()->all()) {
    everything.push_back({topic, sdk::Change::created});
  }
  const std::uint64_t number = announcer_.watch(events, std::move(everything));
  lock.unlock();
  announcer_.deliver(number);
}

Stored<std::shared_ptr<Topic>> TopicRegistry::open(const StoredTopic& stored) {
  auto config = TopicConfig::make(stored.configs, parts_.defaults);
  if (!config) return std::unexpected(StorageError{std::move(config.error())});
  auto topic = std::make_shared<Topic>();
  topic->name = stored.name;
  topic->id = stored.id;
  topic->internal = is_internal_topic(stored.name);
  topic->config = std::make_shared<const TopicConfig>(*std::move(config));
  for (std::int32_t i = 0; i < stored.partition_count; ++i) {
    auto partition = open_partition(stored.id, i);
    if (!partition) return std::unexpected(std::move(partition.error()));
    topic->partitions.push_back(*std::move(partition));
  }
  return topic;
}

Stored<std::shared_ptr<Partition>> TopicRegistry::open_partition(const protocol::Uuid& topic,
                                                                 std::int32_t index) {
  const std::int64_t since_ms = parts_.host.wall_ms() - parts_.producer_expiration_ms;
  auto log = parts_.logs.open(topic, index, since_ms);
  if (!log) return std::unexpected(std::move(log.error()));
  return std::make_shared<Partition>(*std::move(log), parts_.producer_expiration_ms);
}

void TopicRegistry::remember_name(const std::string& name) {
  if (has_collision_characters(name)) alike_[collision_form(name)].insert(name);
}

void TopicRegistry::forget_name(const std::string& name) {
  const auto at = alike_.find(collision_form(name));
  if (at == alike_.end()) return;
  at->second.erase(name);
  if (at->second.empty()) alike_.erase(at);
}

TopicRegistry::Change::Change(TopicRegistry& registry)
    : registry_(registry), lock_(registry.mutex_), before_(registry.current()) {}

std::optional<std::string> TopicRegistry::Change::collision(std::string_view name) const {
  if (!has_collision_characters(name)) return std::nullopt;
  const auto at = registry_.alike_.find(collision_form(name));
  if (at == registry_.alike_.end()) return std::nullopt;
  return *at->second.begin();
}

void TopicRegistry::Change::create(NewTopic topic) { created_.push_back(std::move(topic)); }

void TopicRegistry::Change::remove(const Topic& topic) { removed_.push_back(&topic); }

void TopicRegistry::Change::grow(const Topic& topic, std::int32_t partition_count) {
  grown_.push_back({&topic, partition_count});
}

void TopicRegistry::Change::configure(const Topic& topic, TopicConfig config) {
  configured_.push_back({&topic, std::move(config)});
}

template <class Do>
void TopicRegistry::Change::for_each_removed(Do each) const {
  for (const Topic* topic : removed_) {
    for (const auto& partition : topic->partitions) each(*partition);
  }
}

Stored<void> TopicRegistry::Change::commit() {
  if (created_.empty() && grown_.empty() && configured_.empty() && removed_.empty()) return {};
  for (const Topic* topic : removed_) {
    stored_.removed.push_back(topic->id);
    const auto& all = before_->all();
    const auto at = std::ranges::find(all, topic, &TopicPtr::get);
    news_.push_back({*at, sdk::Change::deleted});
  }
  if (auto opened = open_new(); !opened) return opened;
  if (auto opened = open_grown(); !opened) return opened;
  make_configured();
  // What is removed must not grow any more while it goes.
  for_each_removed([](Partition& partition) { partition.close(); });
  if (auto done = registry_.parts_.metadata.apply(stored_); !done) {
    for_each_removed([](Partition& partition) { partition.reopen(); });
    return done;
  }
  publish();
  log();
  if (news_.empty()) return {};
  const std::uint64_t number = registry_.announcer_.enqueue(std::move(news_));
  lock_.unlock();
  for_each_removed([](Partition& partition) { partition.announce_end(); });
  registry_.announcer_.deliver(number);
  return {};
}

Stored<void> TopicRegistry::Change::open_new() {
  for (NewTopic& planned : created_) {
    StoredTopic stored{std::move(planned.name), planned.id, planned.partition_count,
                       planned.config.overrides()};
    auto topic = registry_.open(stored);
    if (!topic) return std::unexpected(std::move(topic.error()));
    news_.push_back({*std::move(topic), sdk::Change::created});
    stored_.put.push_back(std::move(stored));
  }
  return {};
}

Stored<void> TopicRegistry::Change::open_grown() {
  for (const Growth& growth : grown_) {
    auto topic = std::make_shared<Topic>(*growth.topic);
    for (auto i = static_cast<std::int32_t>(topic->partitions.size()); i < growth.partition_count;
         ++i) {
      auto partition = registry_.open_partition(topic->id, i);
      if (!partition) return std::unexpected(std::move(partition.error()));
      topic->partitions.push_back(*std::move(partition));
    }
    stored_.put.push_back(to_stored(*topic));
    news_.push_back({std::move(topic), sdk::Change::changed});
  }
  return {};
}

void TopicRegistry::Change::make_configured() {
  for (Reconfiguration& planned : configured_) {
    auto topic = std::make_shared<Topic>(*planned.topic);
    topic->config = std::make_shared<const TopicConfig>(std::move(planned.config));
    stored_.put.push_back(to_stored(*topic));
    quiet_news_.push_back(std::move(topic));
  }
}

void TopicRegistry::Change::log() const {
  const sdk::Host& host = registry_.parts_.host;
  for (const TopicPtr& topic : quiet_news_) host.info("topic ", topic->name, " has new configs");
  for (const TopicNews& news : news_) {
    if (news.what == sdk::Change::deleted) {
      host.info("topic ", news.topic->name, " is deleted");
    } else {
      host.info("topic ", news.topic->name, " has ", news.topic->partitions.size(),
                news.what == sdk::Change::created ? " partitions, new" : " partitions");
    }
  }
}

void TopicRegistry::Change::publish() {
  std::map<protocol::Uuid, TopicPtr> changed;
  for (const TopicPtr& topic : quiet_news_) changed.emplace(topic->id, topic);
  for (const TopicNews& news : news_) {
    const bool gone = news.what == sdk::Change::deleted;
    changed.emplace(news.topic->id, gone ? nullptr : news.topic);
    if (gone) registry_.forget_name(news.topic->name);
    if (news.what == sdk::Change::created) registry_.remember_name(news.topic->name);
  }
  std::vector<TopicPtr> topics;
  for (const TopicPtr& topic : before_->all()) {
    if (!changed.contains(topic->id)) topics.push_back(topic);
  }
  for (auto& [id, topic] : changed) {
    if (topic != nullptr) topics.push_back(std::move(topic));
  }
  registry_.published_.set(std::make_shared<TopicSet>(std::move(topics)));
}

}  // namespace muster::embedded
