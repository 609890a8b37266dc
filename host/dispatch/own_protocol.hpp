// What the host's own group protocols (group configs, feature levels) have in common: what they are
// made of, and the part of their tables that is the same. Owner: host/dispatch.
#pragma once

#include "config/options.hpp"

#include <muster/abi/group_protocol.h>
#include <muster/abi/host.h>

#include <cstdint>
#include <span>

namespace muster::host {

// A service that only the host's own protocols see. `create` fetches it by its id, so that tables
// stay constants and two hosts in one process do not meet.
#define MUSTER_SERVICE_HOST_OPTIONS "muster.host.options/1"
struct HostOptionsService {
  std::uint32_t struct_size;
  Options* options;
  std::int32_t node_id;
};

// The `self` of such a protocol.
struct OwnProtocol {
  const HostOptionsService* service = nullptr;
  const muster_authorize_v1* authorize = nullptr;  // nullptr: everything is allowed
};

// Every version of the API, as an API of resources that this protocol creates.
template <class Request>
constexpr muster_api_claim own_claim() {
  return {Request::api_key,      Request::min_version,
          Request::max_version,  Request::first_flexible_version,
          MUSTER_SCOPE_RESOURCE, 1};
}

// A table of the shard space "groups" that makes and destroys OwnProtocols; the slots that do
// something are still to be set. What the spans point to must outlive it.
[[nodiscard]] muster_group_protocol_v1 own_protocol_table(std::span<const muster_api_claim> apis,
                                                          std::span<const muster_type_claim> types);

}  // namespace muster::host
