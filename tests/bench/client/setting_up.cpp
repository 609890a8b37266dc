#include "client/setting_up.hpp"

#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/find_coordinator_response.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_fetch_response.hpp>
#include <muster/protocol/record_batch.hpp>

#include <chrono>
#include <random>
#include <stdexcept>
#include <thread>

namespace muster::bench {
namespace {

constexpr std::size_t record_bytes = 1024;

bool has_coordinator(KafkaConnection& control, const std::string& group) {
  protocol::FindCoordinatorRequest find;
  find.coordinator_keys.push_back(group);
  protocol::Buffer answer;
  const auto found = control.ask<protocol::FindCoordinatorResponse>(find, 6, answer);
  return found.coordinators.at(0).error_code == 0;
}

// One that has just been found may still load the group's partition.
bool serves(KafkaConnection& control, const std::string& group) {
  protocol::OffsetFetchRequest fetch;
  auto& one = fetch.groups.emplace_back();
  one.group_id = group;
  protocol::Buffer answer;
  const auto fetched = control.ask<protocol::OffsetFetchResponse>(fetch, 8, answer);
  return fetched.groups.at(0).error_code == 0;
}

}  // namespace

void create_topic(KafkaConnection& control, const std::string& topic, std::int32_t partitions) {
  protocol::Buffer answer;
  protocol::CreateTopicsRequest create;
  create.topics.push_back({topic, partitions, 1, {}, {}});
  const auto created = control.ask<protocol::CreateTopicsResponse>(create, 7, answer);
  if (created.topics.at(0).error_code != 0) throw std::runtime_error("the topic was not created");
}

void find_coordinator(KafkaConnection& control, const std::string& group) {
  for (int tries = 0; tries < 300; ++tries) {
    if (has_coordinator(control, group) && serves(control, group)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw std::runtime_error("there is no coordinator");
}

protocol::Buffer random_batch(int records) {
  std::mt19937_64 random{7};
  protocol::BatchBuilder builder({});
  protocol::Buffer value(record_bytes);
  for (int i = 0; i < records; ++i) {
    for (std::uint8_t& byte : value) byte = static_cast<std::uint8_t>(random());
    protocol::NewRecord record;
    record.timestamp = std::chrono::duration_cast<std::chrono::milliseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count();
    record.value = value;
    builder.add(record);
  }
  protocol::Buffer out;
  builder.finish(out);
  return out;
}

}  // namespace muster::bench
