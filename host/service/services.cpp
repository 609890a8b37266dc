#include "service/services.hpp"

#include <sys/random.h>

#include <charconv>

namespace muster::host {
namespace {

constexpr const char* host_version = "0.1.0";

void fill_random(std::uint8_t* out, std::size_t size) {
  while (size != 0) {
    const ssize_t got = getrandom(out, size, 0);
    if (got <= 0) continue;  // interrupted: the kernel's pool itself never fails
    out += got;
    size -= static_cast<std::size_t>(got);
  }
}

void write_text(const muster_bytes_sink* sink, std::string_view text) {
  sink->bytes(sink->self, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace

// What depends on who asks.
struct Services::PluginHost {
  static PluginHost& of(void* self) { return *static_cast<PluginHost*>(self); }
  void set_node();
  muster_code data_folder(const muster_bytes_sink* out) const;

  const Services* services = nullptr;
  std::string definition;
  muster_host host{};
  muster_node_v1 node{};
  const muster_log_v1* log = nullptr;
  std::map<std::string, const void*, std::less<>> extra;
};

Services::Services(ServiceParts parts) : parts_(std::move(parts)) {
  set_clock();
  own_ = plugin_host("host");
  random_.struct_size = sizeof random_;
  random_.fill = [](void*, std::uint8_t* out, std::size_t size) { fill_random(out, size); };
  // Everything is allowed until an authorizer plugin exists; the call sites are there.
  authorize_.struct_size = sizeof authorize_;
  authorize_.allowed = [](void*, muster_str, muster_str, std::int32_t, std::int32_t,
                          muster_str) -> std::int32_t { return 1; };
}

Services::~Services() = default;

void Services::set_clock() {
  clock_.struct_size = sizeof clock_;
  clock_.self = parts_.clock;
  clock_.wall_ms = [](void* self) { return static_cast<Clock*>(self)->wall_ms(); };
  clock_.monotonic_us = [](void* self) { return static_cast<Clock*>(self)->monotonic_ms() * 1000; };
}

void Services::PluginHost::set_node() {
  node.struct_size = sizeof node;
  node.self = this;
  node.node_id = [](void* self) { return of(self).services->parts_.node_id; };
  node.advertised = [](void* self, muster_str listener, const muster_bytes_sink* out,
                       std::int32_t* port) {
    return of(self).services->advertised(from_abi(listener), out, port);
  };
  node.owner = [](void* self, muster_str space, std::uint32_t shard, const muster_bytes_sink* out,
                  std::int32_t* port, std::uint64_t* epoch) {
    const Owner found = of(self).services->owner(from_abi(space), shard);
    write_text(out, found.host);
    *port = found.port;
    *epoch = found.epoch;
    return found.code;
  };
  node.data_folder = [](void* self, const muster_bytes_sink* out) {
    return of(self).data_folder(out);
  };
}

muster_code Services::PluginHost::data_folder(const muster_bytes_sink* out) const {
  if (services->parts_.data_folder == nullptr) return MUSTER_UNAVAILABLE;
  const auto folder = services->parts_.data_folder->folder_of(definition);
  if (!folder) return MUSTER_UNAVAILABLE;
  write_text(out, folder->string());
  return MUSTER_OK;
}

const muster_node_v1* Services::node() const { return &own_->node; }

muster_code Services::advertised(std::string_view listener, const muster_bytes_sink* host,
                                 std::int32_t* port) const {
  for (const NodeAddress& address : addresses_) {
    if (!listener.empty() && address.listener != listener) continue;
    write_text(host, address.host);
    *port = address.port;
    return MUSTER_OK;
  }
  return MUSTER_UNAVAILABLE;
}

Services::Owner Services::owner(std::string_view space, std::uint32_t shard) const {
  const auto [elsewhere, epoch] = parts_.shard_owner(space, shard);
  Owner found;
  found.epoch = epoch;
  if (elsewhere.empty()) {
    BytesCollector host;
    found.code = advertised({}, host.sink(), &found.port);
    found.host = host.text();
    return found;
  }
  const std::size_t colon = elsewhere.rfind(':');
  if (colon == std::string::npos) {
    found.code = MUSTER_UNAVAILABLE;
    return found;
  }
  found.host = elsewhere.substr(0, colon);
  std::from_chars(elsewhere.data() + colon + 1, elsewhere.data() + elsewhere.size(), found.port);
  return found;
}

const void* Services::find(std::string_view id) const {
  if (id == MUSTER_SERVICE_CLOCK) return &clock_;
  if (id == MUSTER_SERVICE_RANDOM) return &random_;
  if (id == MUSTER_SERVICE_AUTHORIZE) return &authorize_;
  if (id == MUSTER_SERVICE_METADATA) return parts_.metadata->service();
  if (id == MUSTER_SERVICE_METRICS) return parts_.metrics->service();
  return nullptr;
}

std::unique_ptr<Services::PluginHost> Services::plugin_host(const std::string& definition) {
  auto made = std::make_unique<PluginHost>();
  made->services = this;
  made->definition = definition;
  made->set_node();
  return made;
}

const muster_host* Services::host_for(const std::string& definition,
                                      std::map<std::string, const void*, std::less<>> extra) {
  auto& made = *hosts_.emplace_back(plugin_host(definition));
  made.log = parts_.log->service_for(definition);
  made.extra = std::move(extra);
  made.host.struct_size = sizeof made.host;
  made.host.abi_major = MUSTER_ABI_MAJOR;
  made.host.abi_minor = MUSTER_ABI_MINOR;
  made.host.version = host_version;
  made.host.self = &made;
  made.host.get_service = [](void* self, muster_str id) -> const void* {
    const auto& plugin = PluginHost::of(self);
    if (from_abi(id) == MUSTER_SERVICE_LOG) return plugin.log;
    if (from_abi(id) == MUSTER_SERVICE_NODE) return &plugin.node;
    const auto found = plugin.extra.find(from_abi(id));
    return found != plugin.extra.end() ? found->second : plugin.services->find(from_abi(id));
  };
  return &made.host;
}

}  // namespace muster::host
