// See core.hpp.
#include "core.hpp"

#include <initializer_list>

#include "log/memory_log.hpp"

namespace muster::embedded {

using sdk::Operation;

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

Core::Core(const sdk::Host& host_, const sdk::Options& options)
    : host(host_),
      settings(options),
      metadata(std::make_unique<MemoryMetadata>(random_uuid(host))),
      logs(std::make_unique<MemoryLogs>()),
      topics({host, *metadata, *logs, settings.topic_defaults, settings.rack,
              settings.producer_expiration_ms}),
      producer_ids(*metadata) {}

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
