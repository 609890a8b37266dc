// The three slots of the config protocol that only look at bodies. Owner: host/dispatch. [pure]
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>

namespace muster::host {

[[nodiscard]] muster_code route_configs(const muster_request& request, std::uint32_t shard_count,
                                        const muster_route_sink& out);
[[nodiscard]] muster_code join_configs(const muster_request& request, const muster_bytes* parts,
                                       std::uint32_t count, const muster_bytes_sink& out);
[[nodiscard]] muster_code refuse_configs(const muster_request& request, std::int16_t kafka_error,
                                         muster_str why, const muster_bytes_sink& out);

}  // namespace muster::host
