// What the host offers plugins (sdk/include/muster/abi/host.h), one muster_host a definition.
//
// Threads: made at start; every table is [any].
#pragma once

#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "runtime/metadata.hpp"
#include "runtime/ports.hpp"
#include "service/data_folder.hpp"

#include <muster/abi/host.h>

#include <functional>
#include <map>
#include <memory>

namespace muster::host {

// Where this node can be reached, filled in once the listeners are bound.
struct NodeAddress {
  std::string listener;
  std::string host;
  std::int32_t port = 0;
};

struct ServiceParts {
  Clock* clock = nullptr;
  Log* log = nullptr;
  Metrics* metrics = nullptr;
  Metadata* metadata = nullptr;
  std::int32_t node_id = 0;
  // "host:port" of a shard's owner if it is not this host, and the epoch this host owns it at.
  std::function<std::pair<std::string, std::uint64_t>(std::string_view space, std::uint32_t shard)>
      shard_owner;
  DataFolder* data_folder = nullptr;
};

class Services {
 public:
  explicit Services(ServiceParts parts);
  ~Services();
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  // The host as the plugin of that definition sees it. `extra`: services for the host's own eyes,
  // by id.
  const muster_host* host_for(const std::string& definition,
                              std::map<std::string, const void*, std::less<>> extra = {});
  const muster_node_v1* node() const;
  const muster_authorize_v1* authorize() const { return &authorize_; }
  // Before the first request.
  void set_addresses(std::vector<NodeAddress> addresses) { addresses_ = std::move(addresses); }

 private:
  struct PluginHost;

  void set_clock();
  std::unique_ptr<PluginHost> plugin_host(const std::string& definition);
  muster_code advertised(std::string_view listener, const muster_bytes_sink* host,
                         std::int32_t* port) const;
  struct Owner {
    muster_code code = MUSTER_OK;
    std::string host;
    std::int32_t port = -1;
    std::uint64_t epoch = 0;
  };
  Owner owner(std::string_view space, std::uint32_t shard) const;
  const void* find(std::string_view id) const;

  ServiceParts parts_;
  std::vector<NodeAddress> addresses_;
  muster_clock_v1 clock_{};
  muster_random_v1 random_{};
  muster_authorize_v1 authorize_{};
  std::unique_ptr<PluginHost> own_;  // the host as it sees itself
  std::vector<std::unique_ptr<PluginHost>> hosts_;
};

}  // namespace muster::host
