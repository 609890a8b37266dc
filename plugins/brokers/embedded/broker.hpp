// The embedded broker: one process, one replica of everything, Kafka's data plane. Any thread.
#pragma once

#include <cstdint>

#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/describe_cluster_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/offset_for_leader_epoch_request.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/sdk/broker.hpp>

#include "core.hpp"
#include "settings.hpp"

namespace muster::embedded {

template <class Request>
constexpr muster_api_claim claim(std::int16_t min = Request::min_version,
                                 std::int16_t max = Request::max_version) {
  return {Request::api_key, min, max, Request::first_flexible_version, MUSTER_SCOPE_BROKER, 0};
}

class Broker {
 public:
  static constexpr muster_api_claim apis[] = {
      // Kafka lists Produce 0 to 2 so that old clients believe in compression, and serves 3 up.
      claim<protocol::ProduceRequest>(0),
      claim<protocol::FetchRequest>(),
      claim<protocol::ListOffsetsRequest>(),
      claim<protocol::MetadataRequest>(),
      claim<protocol::CreateTopicsRequest>(),
      claim<protocol::DeleteTopicsRequest>(),
      // The newest version of the schema is not stable, and not listed.
      claim<protocol::InitProducerIdRequest>(0, 5),
      claim<protocol::OffsetForLeaderEpochRequest>(),
      claim<protocol::CreatePartitionsRequest>(),
      claim<protocol::DescribeClusterRequest>(),
      claim<protocol::DescribeTopicPartitionsRequest>(),
  };
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
