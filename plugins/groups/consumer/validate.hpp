// What can be said against a heartbeat without looking at any group. Pure, any thread.
#pragma once

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/sdk/host.hpp>
#include <muster/sdk/request.hpp>

#include <optional>

#include "refusal.hpp"
#include "settings.hpp"

namespace muster::consumer {

using HeartbeatRequest = protocol::ConsumerGroupHeartbeatRequest;

// Whether the protocol is on and the caller may use the group and see the topics it names.
std::optional<Refusal> check_permission(const HeartbeatRequest& heartbeat,
                                        const sdk::Request& request, const sdk::Host& host,
                                        const Settings& settings);

// Kafka's checks of the request itself, in Kafka's order.
std::optional<Refusal> check_request(const HeartbeatRequest& heartbeat, std::int16_t version,
                                     const Settings& settings);

}  // namespace muster::consumer
