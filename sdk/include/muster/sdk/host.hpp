// The host's services. Each is looked up once, in create. A host without log or metrics loses them
// quietly; a missing clock, random source, authoriser, node or metadata fails where it is used.
#pragma once

#include <muster/abi/host.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <muster/sdk/metadata.hpp>
#include <muster/sdk/text.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

// A counter or gauge; good for the life of the process. Any thread.
class Metric {
 public:
  Metric() = default;
  Metric(const muster_metrics_v1* service, std::int32_t handle)
      : service_(service), handle_(handle) {}
  // A gauge may go down.
  void add(double by) const {
    if (service_ != nullptr)
      offered(service_, &muster_metrics_v1::add)(service_->self, handle_, by);
  }

 private:
  const muster_metrics_v1* service_ = nullptr;
  std::int32_t handle_ = -1;
};

// AclOperation and ResourceType, by Kafka's numbers.
enum class Operation : std::int32_t {
  read = 3,
  write = 4,
  create = 5,
  remove = 6,
  alter = 7,
  describe = 8,
  cluster_action = 9,
  describe_configs = 10,
  alter_configs = 11,
  idempotent_write = 12,
};
enum class Resource : std::int32_t { topic = 2, group = 3, cluster = 4, transactional_id = 5 };

struct Principal {
  std::string_view name;
  std::string_view client_host;
};

struct Endpoint {
  std::string host;
  std::int32_t port = 0;
};

struct ShardOwner {
  Endpoint endpoint;
  std::uint64_t epoch = 0;  // 0: this process does not own the shard
};

// Cheap to copy; good for the life of the instance. Any thread.
class Host {
 public:
  explicit Host(const muster_host* table)
      : table_(table),
        log_(service<muster_log_v1>(MUSTER_SERVICE_LOG)),
        clock_(service<muster_clock_v1>(MUSTER_SERVICE_CLOCK)),
        random_(service<muster_random_v1>(MUSTER_SERVICE_RANDOM)),
        metrics_(service<muster_metrics_v1>(MUSTER_SERVICE_METRICS)),
        authorize_(service<muster_authorize_v1>(MUSTER_SERVICE_AUTHORIZE)),
        metadata_(service<muster_metadata_v1>(MUSTER_SERVICE_METADATA)),
        node_(service<muster_node_v1>(MUSTER_SERVICE_NODE)) {}

  std::string_view version() const { return table_->version == nullptr ? "" : table_->version; }

  // log(MUSTER_LOG_INFO, "loaded ", count, " groups"): pieces are joined only if somebody listens.
  template <class... Pieces>
  void log(std::int32_t level, const Pieces&... pieces) const {
    if (log_ == nullptr || !logs(level)) return;
    offered(log_, &muster_log_v1::write)(log_->self, level, to_str(text(pieces...)));
  }
  template <class... Pieces>
  void debug(const Pieces&... pieces) const {
    log(MUSTER_LOG_DEBUG, pieces...);
  }
  template <class... Pieces>
  void info(const Pieces&... pieces) const {
    log(MUSTER_LOG_INFO, pieces...);
  }
  template <class... Pieces>
  void warn(const Pieces&... pieces) const {
    log(MUSTER_LOG_WARN, pieces...);
  }
  template <class... Pieces>
  void error(const Pieces&... pieces) const {
    log(MUSTER_LOG_ERROR, pieces...);
  }

  // Group protocols use ShardHost::now_ms: the time of the event they handle.
  std::int64_t wall_ms() const { return offered(clock_, &muster_clock_v1::wall_ms)(clock_->self); }
  std::int64_t monotonic_us() const {
    return offered(clock_, &muster_clock_v1::monotonic_us)(clock_->self);
  }

  void fill_random(std::span<std::uint8_t> out) const {
    offered(random_, &muster_random_v1::fill)(random_->self, out.data(), out.size());
  }
  // A random (version 4) UUID, as Kafka makes member and topic ids.
  Uuid random_uuid() const;

  // labels: "state=Empty,type=consumer", or nothing. Asking twice gives the same metric.
  Metric counter(std::string_view name, std::string_view help, std::string_view labels = {}) const {
    return metric(&muster_metrics_v1::counter, {name, help, labels});
  }
  Metric gauge(std::string_view name, std::string_view help, std::string_view labels = {}) const {
    return metric(&muster_metrics_v1::gauge, {name, help, labels});
  }

  bool allowed(const Principal& who, Operation operation, Resource type,
               std::string_view resource) const {
    return offered(authorize_, &muster_authorize_v1::allowed)(
               authorize_->self, to_str(who.name), to_str(who.client_host),
               static_cast<std::int32_t>(operation), static_cast<std::int32_t>(type),
               to_str(resource)) == 1;
  }

  // The snapshot of now. Group protocols use ShardHost::metadata.
  AcquiredMetadata metadata() const { return AcquiredMetadata{metadata_}; }

  std::int32_t node_id() const { return offered(node_, &muster_node_v1::node_id)(node_->self); }
  Endpoint advertised(std::string_view listener = {}) const;
  ShardOwner owner(std::string_view space, std::uint32_t shard) const;
  // This plugin's own folder, an absolute path; it is there. A plugin that keeps nothing does not
  // ask, because asking makes it.
  std::string data_folder() const;

  const muster_log_v1* log_table() const { return log_; }

 private:
  struct MetricName {
    std::string_view name, help, labels;
  };
  using Register = std::int32_t (*)(void*, muster_str, muster_str, muster_str);

  template <class Table>
  const Table* service(std::string_view id) const {
    const auto get = offered(table_, &muster_host::get_service);
    return static_cast<const Table*>(get(table_->self, to_str(id)));
  }
  bool logs(std::int32_t level) const {
    return !covers(*log_, &muster_log_v1::enabled) || log_->enabled == nullptr ||
           log_->enabled(log_->self, level) != 0;
  }
  Metric metric(Register muster_metrics_v1::* slot, const MetricName& of) const {
    if (metrics_ == nullptr) return {};
    const auto make = offered(metrics_, slot);
    return {metrics_, make(metrics_->self, to_str(of.name), to_str(of.help), to_str(of.labels))};
  }

  const muster_host* table_;
  const muster_log_v1* log_;
  const muster_clock_v1* clock_;
  const muster_random_v1* random_;
  const muster_metrics_v1* metrics_;
  const muster_authorize_v1* authorize_;
  const muster_metadata_v1* metadata_;
  const muster_node_v1* node_;
};

namespace detail {

// A sink that collects what the host writes into a string of ours. The host copies out of its own
// memory through this callback, so nothing may be thrown from it.
class Collected {
 public:
  const muster_bytes_sink* sink() const { return &sink_; }
  std::string take() {
    if (overflowed_) throw std::bad_alloc();
    return std::move(value_);
  }

 private:
  static void append(void* self, muster_bytes bytes) noexcept {
    auto& into = *static_cast<Collected*>(self);
    try {
      into.value_ += as_text(to_span(bytes));
    } catch (...) {
      into.overflowed_ = true;
    }
  }

  std::string value_;
  bool overflowed_ = false;
  muster_bytes_sink sink_{sizeof(muster_bytes_sink), this, &append};
};

}  // namespace detail

inline Uuid Host::random_uuid() const {
  Uuid id;
  fill_random(id.bytes);
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0F) | 0x40);
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3F) | 0x80);
  return id;
}

inline Endpoint Host::advertised(std::string_view listener) const {
  detail::Collected name;
  Endpoint out;
  const auto ask = offered(node_, &muster_node_v1::advertised);
  require_ok(ask(node_->self, to_str(listener), name.sink(), &out.port), "no such listener");
  out.host = name.take();
  return out;
}

inline ShardOwner Host::owner(std::string_view space, std::uint32_t shard) const {
  detail::Collected name;
  ShardOwner out;
  const auto ask = offered(node_, &muster_node_v1::owner);
  require_ok(ask(node_->self, to_str(space), shard, name.sink(), &out.endpoint.port, &out.epoch),
             "the owner of this shard is not known");
  out.endpoint.host = name.take();
  return out;
}

inline std::string Host::data_folder() const {
  detail::Collected path;
  const auto ask = offered(node_, &muster_node_v1::data_folder);
  require_ok(ask(node_->self, path.sink()), "the host has no folder for data");
  return path.take();
}

}  // namespace muster::sdk
