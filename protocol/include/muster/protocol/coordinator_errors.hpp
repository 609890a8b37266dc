// The errors of coordinators, as Kafka's clients know them. Pure, any thread.
#pragma once

#include <muster/protocol/errors.hpp>

namespace muster::protocol {

// What clients are told when a coordinator's log refuses, or its partition is elsewhere.
constexpr Error to_coordinator_error(Error error) {
  switch (error) {
    case Error::unknown_topic_or_partition:
    case Error::not_enough_replicas:
    case Error::request_timed_out: return Error::coordinator_not_available;
    case Error::not_leader_or_follower:
    case Error::kafka_storage_error: return Error::not_coordinator;
    case Error::message_too_large:
    case Error::record_list_too_large:
    case Error::invalid_fetch_size: return Error::unknown_server_error;
    case Error::network_exception: return Error::coordinator_load_in_progress;
    default: return error;
  }
}

// Kafka checks a request before it looks for the coordinator, so these hide nothing that is wrong
// with the request itself.
constexpr bool comes_after_checks(Error error) {
  return error == Error::coordinator_load_in_progress || error == Error::not_coordinator;
}

}  // namespace muster::protocol
