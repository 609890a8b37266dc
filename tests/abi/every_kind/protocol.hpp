// A group protocol that needs none of the optional slots.
#pragma once

#include <muster/sdk/group_protocol.hpp>

namespace every_kind {

class Protocol {
 public:
  static constexpr muster_api_claim apis[] = {{1000, 0, 0, 0, MUSTER_SCOPE_GROUP, 1}};
  static constexpr muster_type_claim types[] = {{0x4000, 0x4000}};
  static constexpr muster_feature features[] = {{"every.version", 0, 2, 1}};
  static constexpr const char* shard_space = "groups";

  void route(const muster::sdk::Request& request, muster::sdk::RouteSink& out) const;
  void refuse(const muster::sdk::Request& request, std::int16_t kafka_error, std::string_view why,
              muster::sdk::BytesSink& out) const;

  class Shard {
   public:
    Shard(Protocol& protocol, muster::sdk::ShardHost host);
    void replay(const muster::sdk::Replayed& replayed, muster::sdk::Directory& directory);
    void decide(const muster::sdk::Request& request, muster::sdk::Decision& decision) const;

   private:
    muster::sdk::ShardHost host_;
    std::uint64_t count_ = 0;
  };
};

}  // namespace every_kind
