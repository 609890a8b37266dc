// Checks of a heartbeat that need no group. Pure, any thread.
#include "validate.hpp"

#include <muster/sdk/text.hpp>

#include <algorithm>

#include "member.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;

constexpr std::int16_t member_id_required_version = 1;

Refusal invalid(std::string message) { return {Error::invalid_request, std::move(message)}; }

// As Java's trim sees it.
bool is_blank(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

bool is_blank(std::optional<std::string_view> text) { return text && is_blank(*text); }

std::optional<Refusal> check_ids(const HeartbeatRequest& heartbeat, std::int16_t version) {
  const bool needs_member_id = version >= member_id_required_version ||
                               heartbeat.member_epoch > 0 ||
                               heartbeat.member_epoch == leave_epoch;
  if (needs_member_id && is_blank(heartbeat.member_id)) return invalid("MemberId can't be empty.");
  if (is_blank(heartbeat.group_id)) return invalid("GroupId can't be empty.");
  if (is_blank(heartbeat.instance_id)) return invalid("InstanceId can't be empty.");
  if (is_blank(heartbeat.rack_id)) return invalid("RackId can't be empty.");
  return std::nullopt;
}

std::optional<Refusal> check_join(const HeartbeatRequest& heartbeat) {
  if (heartbeat.rebalance_timeout_ms == -1) {
    return invalid("RebalanceTimeoutMs must be provided in first request.");
  }
  if (!heartbeat.topic_partitions || !heartbeat.topic_partitions->empty()) {
    return invalid("TopicPartitions must be empty when (re-)joining.");
  }
  if (!heartbeat.subscribed_topic_names && !heartbeat.subscribed_topic_regex) {
    return invalid("Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when "
                   "(re-)joining.");
  }
  return std::nullopt;
}

std::optional<Refusal> check_epoch(const HeartbeatRequest& heartbeat) {
  if (heartbeat.member_epoch == join_epoch) return check_join(heartbeat);
  if (heartbeat.member_epoch == static_leave_epoch && !heartbeat.instance_id) {
    return invalid("InstanceId can't be null.");
  }
  if (heartbeat.member_epoch < static_leave_epoch) return invalid("MemberEpoch is invalid.");
  return std::nullopt;
}

std::optional<Refusal> check_assignor(const HeartbeatRequest& heartbeat, const Settings& settings) {
  if (!heartbeat.server_assignor || settings.find_assignor(*heartbeat.server_assignor)) {
    return std::nullopt;
  }
  std::string known;
  for (std::size_t i = 0; i < settings.assignors().size(); ++i) {
    if (i != 0) known += ", ";
    known += settings.assignor_name(i);
  }
  return Refusal{Error::unsupported_assignor,
                 sdk::text("ServerAssignor ", *heartbeat.server_assignor,
                           " is not supported. Supported assignors: ", known, ".")};
}

}  // namespace

std::optional<Refusal> check_permission(const HeartbeatRequest& heartbeat,
                                        const sdk::Request& request, const sdk::Host& host,
                                        const Settings& settings) {
  if (!settings.enabled()) return Refusal{Error::unsupported_version, std::nullopt};
  const sdk::Principal who{request.principal(), request.client_host()};
  if (!host.allowed(who, sdk::Operation::read, sdk::Resource::group, heartbeat.group_id)) {
    return Refusal{Error::group_authorization_failed, std::nullopt};
  }
  if (!heartbeat.subscribed_topic_names) return std::nullopt;
  for (const std::string_view topic : *heartbeat.subscribed_topic_names) {
    if (!host.allowed(who, sdk::Operation::describe, sdk::Resource::topic, topic)) {
      return Refusal{Error::topic_authorization_failed, std::nullopt};
    }
  }
  return std::nullopt;
}

std::optional<Refusal> check_request(const HeartbeatRequest& heartbeat, std::int16_t version,
                                     const Settings& settings) {
  if (auto refusal = check_ids(heartbeat, version)) return refusal;
  if (auto refusal = check_epoch(heartbeat)) return refusal;
  return check_assignor(heartbeat, settings);
}

}  // namespace muster::consumer
