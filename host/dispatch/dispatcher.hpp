// From a request to whoever answers it: the host itself, the broker plugin, or the shard of a key.
//
// Threads: [any] after `open`; nothing here is written afterwards but counters.
#pragma once

#include "dispatch/api_table.hpp"
#include "dispatch/route_parts.hpp"
#include "runtime/shard.hpp"

#include <bitset>
#include <functional>
#include <map>

namespace muster::host {

class ApiVersions;
class FindCoordinator;

// The shards that a connection's requests reached, so that they hear of its end.
using TouchedShards = std::map<const Space*, std::vector<bool>>;

struct DispatcherParts {
  Broker broker;
  Metadata* metadata = nullptr;
  std::atomic<std::uint64_t>* request_ids = nullptr;
  const ApiVersions* api_versions = nullptr;
  FindCoordinator* find_coordinator = nullptr;
  std::function<void(std::uint64_t)> close_connection;
};

class Dispatcher : public Caller {
 public:
  explicit Dispatcher(DispatcherParts parts) : parts_(std::move(parts)) {}

  // [control] While starting. Empty: fine; otherwise one sentence why not.
  [[nodiscard]] std::string add_space(Space& space);
  [[nodiscard]] std::string finish();

  const ApiTable& apis() const { return apis_; }
  // The version must be one that the table has (ApiVersions: any).
  void dispatch(const muster_request& request, ReplyTo to, TouchedShards* touched = nullptr);
  void call(InternalCall call, ReplyTo to) override;
  void close_connection(std::uint64_t connection) override;
  void disconnected(std::uint64_t connection, const TouchedShards& touched);
  // Called with each new snapshot, before the shards are.
  void metadata_changed(const MetadataSnapshot& snapshot);
  Space* find_space(std::string_view name) const;

 private:
  struct SpaceEntry {
    Space* space;
    std::unique_ptr<std::atomic<bool>>
        ready;  // the topic exists: Kafka serves the space from then on
  };

  // A request, or a part of one, on its way.
  struct Passing {
    const ApiEntry& api;
    const muster_request& request;
    ReplyTo to;
    TouchedShards* touched;
  };

  void to_broker(const muster_request& request, ReplyTo to);
  void route(Passing whole);
  void fan_out(const Passing& whole, const RouteParts& routed);
  void to_part(const Passing& whole, const RoutePart& part, const ReplyTo& to);
  void to_group(Passing keyed);
  void to_resource(Passing keyed);
  void to_shard(Passing keyed, Space& space, std::uint32_t shard);
  void refuse(const Passing& passing, Error error, std::string_view why);
  bool join(const ApiEntry& api, const muster_request& request,
            const std::vector<muster_bytes>& parts, Buffer& out) const;
  bool ready(const Space& space) const;

  DispatcherParts parts_;
  ApiTable apis_;
  std::vector<SpaceEntry> spaces_;
};

}  // namespace muster::host
