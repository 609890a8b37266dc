// The classic group protocol as the host loads it. Owner: the host; immutable once made, so its
// slots may be called on any thread.
#pragma once

#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>
#include <muster/sdk/group_protocol.hpp>

#include "bodies.hpp"
#include "declared_options.hpp"
#include "settings.hpp"
#include "shard.hpp"

namespace muster::classic {

template <class Message>
constexpr muster_api_claim claim(std::uint16_t creates) {
  return {Message::api_key,     Message::min_version,
          Message::max_version, Message::first_flexible_version,
          MUSTER_SCOPE_GROUP,   creates};
}

class ClassicGroups {
 public:
  using Shard = classic::Shard;

  static constexpr const char* shard_space = "groups";
  static constexpr muster_api_claim apis[] = {
      claim<protocol::JoinGroupRequest>(1),      claim<protocol::SyncGroupRequest>(1),
      claim<protocol::HeartbeatRequest>(1),      claim<protocol::LeaveGroupRequest>(1),
      claim<protocol::DescribeGroupsRequest>(0),
  };
  static constexpr muster_type_claim types[] = {{2, 2}};
  static constexpr auto& options = declared_options;

  ClassicGroups(const sdk::Host& host, const sdk::Options& values)
      : host_(host), settings_(values) {}

  [[nodiscard]] const sdk::Host& host() const { return host_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  void route(const sdk::Request& request, sdk::RouteSink& out) const {
    classic::route(request, out);
  }
  void refuse(const sdk::Request& request, std::int16_t kafka_error, std::string_view,
              sdk::BytesSink& out) const {
    classic::refuse(request, {kafka_error, host_, settings_}, out);
  }

 private:
  sdk::Host host_;
  Settings settings_;
};

}  // namespace muster::classic
