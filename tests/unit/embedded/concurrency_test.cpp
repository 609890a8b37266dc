// Many threads at one broker. What is checked holds for every interleaving; a thread sanitizer
// looks for the rest.
#include <gtest/gtest.h>

#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>

#include <set>
#include <thread>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::FetchRequest;
using protocol::FetchResponse;

constexpr int producers = 4;
constexpr int batches_each = 50;

// Reads one partition from the start by long polls until it has seen so many batches; their last
// offsets in order.
std::vector<std::int64_t> consume(BrokerRig& rig, std::int32_t partition, std::size_t batches,
                                  std::uint64_t connection) {
  std::vector<std::int64_t> last_offsets;
  std::int64_t next = 0;
  while (last_offsets.size() < batches) {
    FetchRequest request = fetch_request("t", next, partition);
    request.max_wait_ms = 60'000;
    const auto response = rig.ask<FetchResponse>(request, 12, {.connection = connection});
    const auto& data = response->responses.at(0).partitions.at(0);
    for (const auto& batch : protocol::Batches(data.records.value_or(Bytes{}))) {
      last_offsets.push_back(batch.last_offset());
      next = batch.next_offset();
    }
  }
  return last_offsets;
}

TEST(Concurrency, NothingIsLostBetweenProducersAndLongPolls) {
  BrokerRig rig;
  create(rig, "t", 2);
  std::vector<std::jthread> threads;
  std::vector<std::vector<std::int64_t>> seen(4);
  for (std::size_t reader = 0; reader < seen.size(); ++reader) {
    threads.emplace_back([&, reader] {
      const auto partition = static_cast<std::int32_t>(reader % 2);
      seen[reader] = consume(rig, partition, producers * batches_each, 100 + reader);
    });
  }
  for (int producer = 0; producer < producers; ++producer) {
    threads.emplace_back([&, producer] {
      for (std::int32_t i = 0; i < batches_each; ++i) {
        for (const std::int32_t partition : {0, 1}) {
          const Buffer records = batch(2, {producer, 0, 2 * i});
          const auto answer = rig.ask<protocol::ProduceResponse>(
              produce_request("t", records, partition), 9);
          EXPECT_EQ(answer->responses[0].partition_responses[0].error_code, 0);
        }
      }
    });
  }
  threads.clear();

  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < producers * batches_each; ++i) expected.push_back(2 * i + 1);
  for (const auto& last_offsets : seen) EXPECT_EQ(last_offsets, expected);
}

TEST(Concurrency, TopicsComeAndGoUnderTheirReaders) {
  BrokerRig rig;
  rig.watch();
  std::vector<std::jthread> threads;
  std::atomic<bool> stop{false};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      const std::string name = "t" + std::to_string(i);
      for (int round = 0; round < 30; ++round) {
        create(rig, name, 3);
        protocol::DeleteTopicsRequest request;
        request.topic_names = {name};
        EXPECT_EQ(rig.ask<protocol::DeleteTopicsResponse>(request, 5)->responses[0].error_code, 0);
      }
    });
  }
  const auto others = [&](std::uint64_t connection) {
    while (!stop) {
      for (const char* name : {"t0", "t1", "t2"}) {
        produce(rig, name, batch());
        FetchRequest request = fetch_request(name, 0);
        request.max_wait_ms = 60'000;
        request.min_bytes = 1'000'000;
        const auto answer = rig.send(request, 12, {.connection = connection});
        rig.gone(connection);
        answer->wait();
        protocol::MetadataRequest all;
        all.topics.reset();
        rig.ask<protocol::MetadataResponse>(all, 9);
      }
    }
  };
  std::jthread first(others, 500);
  std::jthread second(others, 501);
  threads.clear();
  stop = true;
  first.join();
  second.join();

  // Each topic's own changes came in order.
  std::set<std::string> alive;
  for (const auto& call : rig.changes()) {
    for (const SeenChange& change : call) {
      if (change.topic) {
        EXPECT_TRUE(alive.insert(change.name).second);
      } else {
        EXPECT_EQ(alive.erase(change.name), 1U);
      }
    }
  }
  EXPECT_TRUE(alive.empty());
}

TEST(Concurrency, ExpiringArrivingAndLeavingWaitsAnswerOnce) {
  BrokerRig rig;
  create(rig, "t");
  std::vector<std::jthread> threads;
  for (std::uint64_t connection = 1; connection <= 3; ++connection) {
    threads.emplace_back([&, connection] {
      for (int i = 0; i < 100; ++i) {
        FetchRequest request = fetch_request("t", list_offset(rig, "t", -1).offset);
        request.max_wait_ms = 1 + i % 3;
        const auto answer = rig.send(request, 12, {.connection = connection});
        if (i % 4 == 0) rig.gone(connection);
        if (i % 4 == 1) produce(rig, "t", batch());
        EXPECT_NE(answer->wait(), Outcome::none);
      }
    });
  }
}

}  // namespace
}  // namespace muster::embedded::test
