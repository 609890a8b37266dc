// The embedded broker: one process, one replica of everything, Kafka's data plane. Any thread.
#pragma once

#include <cstdint>

#include <muster/sdk/broker.hpp>

#include "apis/api_table.hpp"
#include "core.hpp"
#include "settings.hpp"

namespace muster::embedded {

class Broker {
 public:
  static constexpr auto apis = claims();
  static constexpr auto& options = declared_options;

  Broker(const sdk::Host& host, const sdk::Options& settings) : core_(host, settings) {}

  void handle(const sdk::Request& request, sdk::Answer answer);
  void gone(std::uint64_t connection) { core_.waits.gone(connection); }
  void watch(const sdk::MetadataEvents& events) { core_.topics.watch(events); }
  void cluster_id(sdk::BytesSink& out) const { out.write(core_.metadata->cluster_id()); }

 private:
  Core core_;
};

}  // namespace muster::embedded
