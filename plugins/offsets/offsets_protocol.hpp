// The offsets plugin: committed offsets of every group, groups that are nothing but offsets, and
// the APIs that ask about groups of any type. It owns no group id; who does is asked through the
// facet. [control] create and destroy, [pure] bodies.
#pragma once

#include <cstdint>
#include <string_view>

#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_delete_request.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/sdk/group_protocol.hpp>
#include <muster/sdk/host.hpp>
#include <muster/sdk/options.hpp>

namespace muster::offsets {

class OffsetsShard;

// Creator of each of its APIs: it answers for ids that no protocol owns, and routes for the others.
template <class Request>
constexpr muster_api_claim claim() {
  return {Request::api_key,     Request::min_version,
          Request::max_version, Request::first_flexible_version,
          MUSTER_SCOPE_GROUP,   1};
}

class OffsetsProtocol {
 public:
  using Shard = OffsetsShard;

  static constexpr muster_api_claim apis[] = {
      claim<protocol::OffsetCommitRequest>(),   claim<protocol::OffsetFetchRequest>(),
      claim<protocol::DescribeGroupsRequest>(), claim<protocol::ListGroupsRequest>(),
      claim<protocol::DeleteGroupsRequest>(),   claim<protocol::OffsetDeleteRequest>(),
  };
  static constexpr muster_type_claim types[] = {{0, 1}};
  static constexpr const char* shard_space = "groups";
  static constexpr muster_option options[] = {
      sdk::int_option("offset.metadata.max.bytes")
          .by_default("4096")
          .range("0", "2147483647")
          .doc("Longest metadata of a committed offset, in UTF-16 units."),
      sdk::int_option("offsets.retention.minutes")
          .by_default("10080")
          .range("1", "2147483647")
          .doc("How long offsets that nobody uses are kept."),
      sdk::long_option("offsets.retention.check.interval.ms")
          .by_default("600000")
          .range("1", nullptr)
          .doc("How often expired offsets and groups are looked for."),
  };

  OffsetsProtocol(const sdk::Host& services, const sdk::Options& values)
      : host(services),
        metadata_max_bytes(values, "offset.metadata.max.bytes"),
        retention_minutes(values, "offsets.retention.minutes"),
        retention_check_interval_ms(values, "offsets.retention.check.interval.ms") {}

  void route(const sdk::Request& request, sdk::RouteSink& out) const;
  void join(const sdk::Request& request, sdk::Parts parts, sdk::BytesSink& out) const;
  void refuse(const sdk::Request& request, std::int16_t kafka_error, std::string_view why,
              sdk::BytesSink& out) const;

  sdk::Host host;
  sdk::Int64Option metadata_max_bytes;
  sdk::Int64Option retention_minutes;
  sdk::Int64Option retention_check_interval_ms;
};

}  // namespace muster::offsets
