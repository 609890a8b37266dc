// Kafka's numbers for operations and resources, and the question whether a caller may. [pure]
#pragma once

#include "runtime/bytes.hpp"

#include <muster/abi/group_protocol.h>
#include <muster/abi/host.h>

#include <cstdint>
#include <string_view>

namespace muster::host {

// AclOperation.
inline constexpr std::int32_t alter_operation = 7;
inline constexpr std::int32_t describe_operation = 8;
inline constexpr std::int32_t describe_configs_operation = 10;
inline constexpr std::int32_t alter_configs_operation = 11;

// ResourceType of ACLs.
inline constexpr std::int32_t topic_acl = 2;
inline constexpr std::int32_t group_acl = 3;
inline constexpr std::int32_t cluster_acl = 4;
inline constexpr std::int32_t transactional_id_acl = 5;

// The name of the one resource of type cluster.
inline constexpr std::string_view cluster_name = "kafka-cluster";

struct Permission {
  std::int32_t operation;
  std::int32_t acl;
  std::string_view resource;
};

// Where nobody is asked, everybody may.
inline bool is_allowed(const muster_authorize_v1* authorize, const muster_request& request,
                       const Permission& wanted) {
  return authorize == nullptr ||
         authorize->allowed(authorize->self, request.principal, request.client_host,
                            wanted.operation, wanted.acl, to_abi(wanted.resource)) != 0;
}

}  // namespace muster::host
