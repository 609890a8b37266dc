#include "cli/client/failure.hpp"

#include <muster/protocol/errors.hpp>

namespace muster::host {
namespace {

using protocol::Error;

// What people meet most; Kafka's own messages come with the answer where it has one.
std::string_view meaning(Error error) {
  switch (error) {
    case Error::unknown_topic_or_partition: return "there is no such topic or partition";
    case Error::topic_already_exists: return "a topic of that name is there";
    case Error::invalid_topic_exception: return "a topic may not be called so";
    case Error::invalid_partitions: return "a topic cannot have so many partitions";
    case Error::invalid_config: return "the host does not take these configs";
    case Error::group_id_not_found: return "there is no such group";
    case Error::non_empty_group: return "the group has members";
    case Error::invalid_group_id: return "a group may not be called so";
    case Error::coordinator_load_in_progress: return "the host still loads its groups";
    case Error::coordinator_not_available: return "nobody coordinates groups there right now";
    case Error::not_coordinator: return "another host coordinates this group";
    case Error::not_leader_or_follower: return "another host leads this partition";
    case Error::topic_authorization_failed:
    case Error::group_authorization_failed:
    case Error::cluster_authorization_failed: return "it is not allowed";
    case Error::unsupported_version: return "the host does not take this request";
    case Error::request_timed_out: return "the host did not get it done in time";
    case Error::not_controller: return "another host is the controller";
    default: return {};
  }
}

}  // namespace

std::string error_name(std::int16_t code) {
  const std::string_view known = protocol::name(static_cast<Error>(code));
  return known.empty() ? "error " + std::to_string(code) : std::string(known);
}

Failure kafka_failure(const std::string& what, std::int16_t code,
                      std::optional<std::string_view> message) {
  std::string text = what + ": " + error_name(code);
  const std::string_view why =
      message && !message->empty() ? *message : meaning(static_cast<Error>(code));
  if (!why.empty()) text += ": " + std::string(why);
  return {text};
}

}  // namespace muster::host
