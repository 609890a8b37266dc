#include "topics.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/find_coordinator_response.hpp>
#include <muster/protocol/messages/produce_request.hpp>

#include <thread>

namespace muster::sockets {
namespace {

// One record, key "k", value "v", as the Java client writes it.
constexpr std::uint8_t one_record[] = {
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3a, 0xff, 0xff,
    0xff, 0xff, 0x02, 0xe9, 0x9b, 0x8d, 0xd8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x01, 0x8b, 0xcf, 0xe5, 0x68, 0x00, 0x00, 0x00, 0x01, 0x8b, 0xcf, 0xe5, 0x68,
    0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0x00, 0x00, 0x00, 0x01, 0x10, 0x00, 0x00, 0x00, 0x02, 0x6b, 0x02, 0x76, 0x00};

}  // namespace

protocol::Uuid create_topic(Client& client, std::string_view name, std::int32_t partitions) {
  protocol::CreateTopicsRequest create;
  auto& topic = create.topics.emplace_back();
  topic.name = name;
  topic.num_partitions = partitions;
  topic.replication_factor = 1;
  const auto created = client.ask<protocol::CreateTopicsResponse>(create, 7);
  if (created.message.topics.size() != 1 || created.message.topics[0].error_code != 0) {
    ADD_FAILURE() << "the topic was not created";
    return {};
  }
  return created.message.topics[0].topic_id;
}

void find_coordinator(Client& client, std::string_view group) {
  protocol::FindCoordinatorRequest find;
  find.coordinator_keys.push_back(group);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    const auto found = client.ask<protocol::FindCoordinatorResponse>(find, 6);
    if (found.message.coordinators.size() == 1 && found.message.coordinators[0].error_code == 0) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "no coordinator";
}

Buffer produce(std::string_view topic, std::int16_t acks, std::int32_t correlation_id) {
  protocol::ProduceRequest produce;
  produce.acks = acks;
  produce.timeout_ms = 1000;
  auto& data = produce.topic_data.emplace_back();
  data.name = topic;
  data.partition_data.emplace_back().records = Bytes(one_record);
  return request(produce, 9, correlation_id);
}

Buffer long_poll(std::string_view topic, std::int32_t max_wait_ms, std::int32_t correlation_id) {
  protocol::FetchRequest fetch;
  fetch.max_wait_ms = max_wait_ms;
  fetch.min_bytes = 1;
  auto& asked = fetch.topics.emplace_back();
  asked.topic = topic;
  asked.partitions.emplace_back().partition_max_bytes = 1 << 20;
  return request(fetch, 12, correlation_id);
}

Buffer many_requests(std::size_t bytes) {
  const Buffer one = request(protocol::ApiVersionsRequest{}, 0, 1);
  Buffer all;
  all.reserve(bytes + one.size());
  while (all.size() < bytes) all.insert(all.end(), one.begin(), one.end());
  return all;
}

}  // namespace muster::sockets
