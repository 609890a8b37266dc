// What every API of the broker works with, and the small things they all do. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/sdk/broker.hpp>

#include "apis/fetch_waits.hpp"
#include "log/log.hpp"
#include "settings.hpp"
#include "topics/metadata_storage.hpp"
#include "topics/retention.hpp"
#include "topics/topic_registry.hpp"

namespace muster::embedded {

using protocol::Error;

// Ids for idempotent producers, taken from the storage a block at a time.
class ProducerIds {
 public:
  explicit ProducerIds(MetadataStorage& metadata) : metadata_(metadata) {}
  Stored<std::int64_t> next();

 private:
  static constexpr std::int64_t block_size = 1000;

  MetadataStorage& metadata_;
  std::mutex mutex_;
  std::int64_t next_ = 0;
  std::int64_t block_end_ = 0;
};

struct Core {
  Core(const sdk::Host& host, const sdk::Options& options);

  // Kafka's name of the one cluster resource.
  static constexpr std::string_view cluster_name = "kafka-cluster";

  bool allowed(const sdk::Request& request, sdk::Operation operation, sdk::Resource type,
               std::string_view name) const {
    return host.allowed({request.principal(), request.client_host()}, operation, type, name);
  }
  bool may(const sdk::Request& request, sdk::Operation operation, std::string_view topic) const {
    return allowed(request, operation, sdk::Resource::topic, topic);
  }
  bool may_cluster(const sdk::Request& request, sdk::Operation operation) const {
    return allowed(request, operation, sdk::Resource::cluster, cluster_name);
  }
  // Once: a disk that stays full would be told with every request.
  void report(std::string_view what, const StorageError& error) const {
    if (!error.what.empty()) host.error(what, error.what);
  }
  // As the bits of AclOperation, which responses carry as "authorised operations".
  std::int32_t topic_operations(const sdk::Request& request, std::string_view topic) const;
  std::int32_t cluster_operations(const sdk::Request& request) const;

  const sdk::Host host;
  const Settings settings;
  const std::shared_ptr<MetadataStorage> metadata;
  const std::shared_ptr<LogStorage> logs;
  TopicRegistry topics;
  ProducerIds producer_ids;
  Retention retention;
  FetchWaits waits;

 private:
  // One storage may be both.
  struct Storage {
    std::shared_ptr<MetadataStorage> metadata;
    std::shared_ptr<LogStorage> logs;
  };
  static Storage open_storage(const sdk::Host& host, const Settings& settings);
  Core(const sdk::Host& host, const Settings& settings);
  Core(const sdk::Host& host, const Settings& settings, const Storage& storage);
};

// As Kafka makes topic and cluster ids.
protocol::Uuid random_uuid(const sdk::Host& host);

inline constexpr std::string_view cluster_denied = "Cluster authorization failed.";

// Sends a response message.
template <class Message>
void reply(const sdk::Request& request, sdk::Answer& answer, const Message& message) {
  protocol::Buffer body;
  protocol::encode(message, request.version(), body);
  answer.owned(std::move(body));
}

}  // namespace muster::embedded
