// Many requests on one connection, in every way that TCP may cut them: answered all, in order.
#include "served.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>

#include <thread>

namespace muster::sockets {
namespace {

std::int32_t next_correlation_id(const Client& client) {
  const auto frame = client.receive();
  EXPECT_TRUE(frame) << "closed";
  return frame ? protocol::Reader(*frame).read_int32() : -1;
}

Buffer api_versions(std::int32_t correlation_id) {
  return request(protocol::ApiVersionsRequest{}, 0, correlation_id);
}

TEST(Pipelining, ARequestInSingleByteWritesIsARequest) {
  Served host;
  const Client client(host.port());
  for (const std::uint8_t byte : request(protocol::MetadataRequest{}, 12, 3)) {
    ASSERT_TRUE(client.send(Bytes(&byte, 1)));
  }
  EXPECT_EQ(client.receive_as<protocol::MetadataResponse>(12, 3).message.brokers.size(), 1u);
}

TEST(Pipelining, RequestsInOneSegmentAreAnsweredInOrder) {
  Served host;
  const Client client(host.port());
  ASSERT_TRUE(client.send(
      joined({api_versions(1), request(protocol::MetadataRequest{}, 9, 2), api_versions(3)})));
  for (std::int32_t i = 1; i <= 3; ++i) EXPECT_EQ(next_correlation_id(client), i);
}

TEST(Pipelining, WhatWaitsHoldsBackLaterAnswersOfItsConnectionOnly) {
  Served host;
  Client client(host.port());
  create_topic(client, "empty", 1);
  ASSERT_TRUE(client.send(joined({long_poll("empty", 1000, 1), api_versions(2)})));
  Client other(host.port());
  other.ask<protocol::ApiVersionsResponse>(protocol::ApiVersionsRequest{}, 0);
  EXPECT_EQ(next_correlation_id(client), 1);
  EXPECT_EQ(next_correlation_id(client), 2);
}

TEST(Pipelining, FarMoreThanTheLimitOfAConnectionIsAnsweredInOrder) {
  Served host({"limits.connection_requests=8"});
  Client client(host.port());
  create_topic(client, "empty", 1);
  Buffer all;
  constexpr std::int32_t count = 600;
  for (std::int32_t i = 0; i < count; ++i) {
    const Buffer one = i % 100 == 0 ? long_poll("empty", 50, i) : api_versions(i);
    all.insert(all.end(), one.begin(), one.end());
  }
  ASSERT_TRUE(client.send(all));
  for (std::int32_t i = 0; i < count; ++i) ASSERT_EQ(next_correlation_id(client), i);
}

// Each request is 300 kB of trailing bytes behind a fetch that waits: four are over the limit.
void ask_over_the_hosts_limit(std::int32_t wait_ms, int requests) {
  Served host({"limits.in_flight_bytes=1048576"});
  {
    Client maker(host.port());
    create_topic(maker, "empty", 1);
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      const Client client(host.port());
      Buffer frame = long_poll("empty", wait_ms, 0);
      frame.resize(300000);
      const Buffer padded = framed(Bytes(frame).subspan(4));
      for (int n = 0; n < requests; ++n) {
        ASSERT_TRUE(client.send(padded));
        ASSERT_EQ(next_correlation_id(client), 0);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(Pipelining, OverTheHostsLimitNobodyIsForgotten) { ask_over_the_hosts_limit(20, 10); }

// The room comes and goes all the time, between any two looks at it.
TEST(Pipelining, WhereTheHostsLimitIsReachedAndLeftAllTheTimeNobodyIsForgotten) {
  ask_over_the_hosts_limit(1, 300);
}

TEST(Pipelining, AProduceWithoutAcknowledgementIsNotAnswered) {
  Served host;
  Client client(host.port());
  create_topic(client, "t", 1);
  ASSERT_TRUE(client.send(joined({produce("t", 0, 1), api_versions(2), produce("t", 1, 3),
                                  produce("t", 0, 4), api_versions(5)})));
  for (const std::int32_t expected : {2, 3, 5}) EXPECT_EQ(next_correlation_id(client), expected);
}

}  // namespace
}  // namespace muster::sockets
