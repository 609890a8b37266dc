// See core.hpp.
#include "core.hpp"

#include <filesystem>
#include <initializer_list>

#include "log/memory_log.hpp"
#include "log/disk_storage.hpp"

namespace muster::embedded {

using sdk::Operation;

namespace {

std::filesystem::path log_folder(const sdk::Host& host, const Settings& settings) {
  if (!settings.log_folder.empty()) return settings.log_folder;
  return std::filesystem::path(host.data_folder()) / "log";
}

}  // namespace

protocol::Uuid random_uuid(const sdk::Host& host) {
  // Tools take these as arguments, so none may look like an option.
  for (;;) {
    const protocol::Uuid id{host.random_uuid().bytes};
    if (!id.to_string().starts_with('-')) return id;
  }
}

Stored<std::int64_t> ProducerIds::next() {
  const std::lock_guard lock(mutex_);
  if (next_ == block_end_) {
    const auto first = metadata_.reserve_producer_ids(block_size);
    if (!first) return first;
    next_ = *first;
    block_end_ = *first + block_size;
  }
  return next_++;
}

Core::Core(const sdk::Host& host_, const sdk::Options& options) : Core(host_, Settings(options)) {}

Core::Core(const sdk::Host& host_, const Settings& settings_)
    : Core(host_, settings_, open_storage(host_, settings_)) {}

Core::Core(const sdk::Host& host_, const Settings& settings_, const Storage& storage)
    : host(host_),
      settings(settings_),
      metadata(storage.metadata),
      logs(storage.logs),
      topics({host, *metadata, *logs, settings.topic_defaults, settings.rack,
              settings.producer_expiration_ms}),
      producer_ids(*metadata),
      retention({host, topics, settings.retention_check_interval_ms}) {}

Core::Storage Core::open_storage(const sdk::Host& host, const Settings& settings) {
  const protocol::Uuid cluster_id = random_uuid(host);
  if (!settings.durable) {
    return {std::make_shared<MemoryMetadata>(cluster_id), std::make_shared<MemoryLogs>()};
  }
  auto opened = DiskStorage::open(log_folder(host, settings), cluster_id);
  if (!opened) throw sdk::Failure(MUSTER_UNAVAILABLE, std::move(opened.error().what));
  return {*opened, *opened};
}

std::int32_t Core::topic_operations(const sdk::Request& request, std::string_view topic) const {
  std::int32_t bits = 0;
  for (const Operation operation :
       {Operation::read, Operation::write, Operation::create, Operation::remove, Operation::alter,
        Operation::describe, Operation::describe_configs, Operation::alter_configs}) {
    if (may(request, operation, topic)) bits |= 1 << static_cast<std::int32_t>(operation);
  }
  return bits;
}

std::int32_t Core::cluster_operations(const sdk::Request& request) const {
  std::int32_t bits = 0;
  for (const Operation operation :
       {Operation::create, Operation::alter, Operation::describe, Operation::cluster_action,
        Operation::describe_configs, Operation::alter_configs, Operation::idempotent_write}) {
    if (allowed(request, operation, sdk::Resource::cluster, cluster_name)) {
      bits |= 1 << static_cast<std::int32_t>(operation);
    }
  }
  return bits;
}

}  // namespace muster::embedded
