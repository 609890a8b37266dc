// What a function that decides may look at: services, options, the shard's clock and directory, and
// the offsets, none of it writable. [shard]
#pragma once

#include <cstdint>
#include <string_view>

#include <muster/protocol/errors.hpp>
#include <muster/protocol/types.hpp>
#include <muster/sdk/decision.hpp>
#include <muster/sdk/host.hpp>
#include <muster/sdk/request.hpp>
#include <muster/sdk/shard.hpp>

#include "committed_offsets.hpp"
#include "offsets_protocol.hpp"

namespace muster::offsets {

struct ShardView {
  const OffsetsProtocol& protocol;
  const sdk::ShardHost& shard;
  const CommittedOffsets& offsets;
};

// Who sent the request, for the authoriser.
class Caller {
 public:
  Caller(const ShardView& view, const sdk::Request& request)
      : host_(view.protocol.host), who_{request.principal(), request.client_host()} {}

  [[nodiscard]] bool may(sdk::Operation operation, sdk::Resource type,
                         std::string_view resource) const {
    return host_.allowed(who_, operation, type, resource);
  }

 private:
  const sdk::Host& host_;
  sdk::Principal who_;
};

inline sdk::Uuid to_sdk(const protocol::Uuid& id) { return {id.bytes}; }
inline protocol::Uuid to_protocol(const sdk::Uuid& id) { return {id.bytes}; }

// One function an API; each answers. `message` is theirs to take apart.
void commit_offsets(const ShardView& view, const sdk::Request& request,
                    protocol::OffsetCommitRequest& message, sdk::Decision& out);
void fetch_offsets(const ShardView& view, const sdk::Request& request,
                   protocol::OffsetFetchRequest& message, sdk::Decision& out);
void delete_offsets(const ShardView& view, const sdk::Request& request,
                    protocol::OffsetDeleteRequest& message, sdk::Decision& out);
void list_groups(const ShardView& view, const sdk::Request& request,
                 protocol::ListGroupsRequest& message, sdk::Decision& out);
void describe_groups(const ShardView& view, const sdk::Request& request,
                     protocol::DescribeGroupsRequest& message, sdk::Decision& out);
void delete_groups(const ShardView& view, const sdk::Request& request,
                   protocol::DeleteGroupsRequest& message, sdk::Decision& out);

}  // namespace muster::offsets
