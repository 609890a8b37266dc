// The consumer protocol (KIP-848) as the host loads it. Owner: the host; immutable once made, so
// its slots may be called on any thread.
#pragma once

#include <muster/abi/plugin.h>
#include <muster/sdk/group_protocol.hpp>

#include "bodies.hpp"
#include "classic_join.hpp"
#include "classic_member.hpp"
#include "declared_options.hpp"
#include "describe.hpp"
#include "regex.hpp"
#include "settings.hpp"
#include "shard.hpp"

namespace muster::consumer {

class ConsumerGroups {
 public:
  using Shard = consumer::Shard;

  static constexpr const char* shard_space = "groups";
  static constexpr muster_api_claim apis[] = {
      {HeartbeatRequest::api_key, HeartbeatRequest::min_version, HeartbeatRequest::max_version,
       HeartbeatRequest::first_flexible_version, MUSTER_SCOPE_GROUP, 1},
      {DescribeRequest::api_key, DescribeRequest::min_version, DescribeRequest::max_version,
       DescribeRequest::first_flexible_version, MUSTER_SCOPE_GROUP, 1},
      // Of classic members in consumer groups; every other group is the classic protocol's.
      {JoinRequest::api_key, JoinRequest::min_version, JoinRequest::max_version,
       JoinRequest::first_flexible_version, MUSTER_SCOPE_GROUP, 0},
      {SyncRequest::api_key, SyncRequest::min_version, SyncRequest::max_version,
       SyncRequest::first_flexible_version, MUSTER_SCOPE_GROUP, 0},
      {BeatRequest::api_key, BeatRequest::min_version, BeatRequest::max_version,
       BeatRequest::first_flexible_version, MUSTER_SCOPE_GROUP, 0},
      {LeaveRequest::api_key, LeaveRequest::min_version, LeaveRequest::max_version,
       LeaveRequest::first_flexible_version, MUSTER_SCOPE_GROUP, 0},
  };
  static constexpr muster_type_claim types[] = {{3, 8}, {16, 16}};
  static constexpr auto& options = declared_options;
  static constexpr muster_feature features[] = {{"group.version", 0, 1, 1}};

  ConsumerGroups(const sdk::Host& host, const sdk::Options& values)
      : host_(host), settings_(values) {}

  [[nodiscard]] const sdk::Host& host() const { return host_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  void route(const sdk::Request& request, sdk::RouteSink& out) const {
    consumer::route(request, out);
  }
  void join(const sdk::Request& request, sdk::Parts parts, sdk::BytesSink& out) const {
    consumer::join(request, parts, out);
  }
  void refuse(const sdk::Request& request, std::int16_t kafka_error, std::string_view,
              sdk::BytesSink& out) const {
    consumer::refuse(request, {kafka_error, host_, settings_}, out);
  }
  void work(const sdk::Work& work, sdk::BytesSink& out) const {
    if (work.kind != regex_work) {
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "not work of this protocol");
    }
    out.write(sdk::Bytes(match_regexes(host_, work.input)));
  }

 private:
  sdk::Host host_;
  Settings settings_;
};

}  // namespace muster::consumer
