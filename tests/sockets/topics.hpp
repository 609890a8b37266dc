// Topics, batches and fetches for the socket tests.
#pragma once

#include "client.hpp"

#include <muster/protocol/messages/fetch_request.hpp>

#include <string_view>

namespace muster::sockets {

// Makes a topic and the internal one of the groups. The topic's id.
protocol::Uuid create_topic(Client& client, std::string_view name, std::int32_t partitions);
// FindCoordinator for a group, asked until it is there.
void find_coordinator(Client& client, std::string_view group);
// A Produce request (v9) of one record to partition 0.
[[nodiscard]] Buffer produce(std::string_view topic, std::int16_t acks,
                             std::int32_t correlation_id);
// A Fetch request (v12) of partition 0 from its start, that waits for a byte.
[[nodiscard]] Buffer long_poll(std::string_view topic, std::int32_t max_wait_ms,
                               std::int32_t correlation_id);
// So many bytes of requests that are answered at once.
[[nodiscard]] Buffer many_requests(std::size_t bytes);

}  // namespace muster::sockets
