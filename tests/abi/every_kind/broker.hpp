// A broker without topics.
#pragma once

#include <muster/sdk/broker.hpp>

namespace every_kind {

class Broker {
 public:
  static constexpr muster_api_claim apis[] = {{3, 0, 13, 9, MUSTER_SCOPE_BROKER, 0}};

  void handle(const muster::sdk::Request& request, muster::sdk::Answer answer);
  void gone(std::uint64_t connection);
  void watch(const muster::sdk::MetadataEvents& events);
  void cluster_id(muster::sdk::BytesSink& out) const;
};

}  // namespace every_kind
