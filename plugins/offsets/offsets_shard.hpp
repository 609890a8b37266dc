// One shard of the offsets plugin: what the host calls, handed on to one function per API. State
// changes in replay only. [shard]
#pragma once

#include <string_view>

#include <muster/sdk/group_protocol.hpp>

#include "committed_offsets.hpp"
#include "offsets_protocol.hpp"

namespace muster::offsets {

class OffsetsShard {
 public:
  OffsetsShard(OffsetsProtocol& protocol, sdk::ShardHost host) : protocol_(protocol), host_(host) {}

  void replay(const sdk::Replayed& replayed, sdk::Directory& directory);

  void on_loaded(sdk::Decision& out) const;
  void decide(const sdk::Request& request, sdk::Decision& out) const;
  void on_timer(std::string_view key, sdk::Decision& out) const;
  void on_metadata(const sdk::Metadata& metadata, sdk::TopicChanges changes,
                   sdk::Decision& out) const;
  void digest(sdk::Digest part, sdk::BytesSink& out) const;

 private:
  const OffsetsProtocol& protocol_;
  sdk::ShardHost host_;
  CommittedOffsets offsets_;
};

}  // namespace muster::offsets
