// Clients that do not read, do not write, or vanish: nobody else notices, nothing is kept.
#include "served.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>

#include <thread>

namespace muster::sockets {
namespace {

// Waits until the host counts so many.
void expect_metric(const Served& host, const std::string& name, double count) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (host.metric(name) != count) {
    if (std::chrono::steady_clock::now() > until) {
      ADD_FAILURE() << name << " is " << host.metric(name) << " instead of " << count;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void expect_connections(const Served& host, double count) {
  expect_metric(host, "muster_connections", count);
}

TEST(SilentClients, OneThatNeverReadsIsNotReadForeverAndStopsNobody) {
  Served host({"host.threads=1", "limits.connection_bytes=65536"});
  const Client client(host.port());
  // Sockets hold a few megabytes each way; what the host would keep beyond has no end.
  const Buffer all = many_requests(48u << 20);
  const std::size_t taken = client.send_until_refused(all, std::chrono::seconds(3));
  EXPECT_LT(taken, all.size());
  EXPECT_TRUE(host.answers());
}

TEST(SilentClients, OneThatReadsAtLastGetsAllItsAnswers) {
  Served host({"limits.connection_bytes=65536"});
  const Client client(host.port());
  const Buffer one = request(protocol::ApiVersionsRequest{}, 0, 1);
  const Buffer all = many_requests(2u << 20);
  std::thread sender([&] { EXPECT_TRUE(client.send(all)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (std::size_t i = 0; i < all.size() / one.size(); ++i) ASSERT_TRUE(client.receive()) << i;
  sender.join();
}

TEST(SilentClients, HalfARequestStopsNobody) {
  Served host({"host.threads=1"});
  const Client silent(host.port());
  const Client half(host.port());
  ASSERT_TRUE(half.send(Buffer{0, 0, 1, 0, 0, 18}));
  const Client claims_much(host.port());
  ASSERT_TRUE(claims_much.send(Buffer{0x06, 0x40, 0x00, 0x00, 0, 18}));
  EXPECT_TRUE(host.answers());
}

TEST(SilentClients, ConnectionsThatVanishMidFrameAreNotCountedAnyMore) {
  Served host;
  for (int i = 0; i < 1000; ++i) {
    const Client client(host.port());
    ASSERT_TRUE(client.send(Buffer{0, 0, 1, 0, 0, 18}));
  }
  EXPECT_TRUE(host.answers());  // accepted behind all of them
  expect_connections(host, 0);
}

TEST(SilentClients, OneThatVanishesWhileItsFetchWaitsIsNotCountedAnyMore) {
  Served host;
  {
    Client client(host.port());
    create_topic(client, "empty", 1);
    ASSERT_TRUE(client.send(long_poll("empty", 600000, 1)));
    expect_connections(host, 1);
  }
  expect_connections(host, 0);
}

TEST(SilentClients, OneThatVanishesAtItsLimitIsNotCountedAnyMore) {
  Served host({"limits.connection_requests=1"});
  {
    Client client(host.port());
    create_topic(client, "empty", 1);
    ASSERT_TRUE(client.send(long_poll("empty", 600000, 1)));
    expect_metric(host, "muster_connections_unread", 1);
  }
  expect_connections(host, 0);
  expect_metric(host, "muster_connections_unread", 0);
}

TEST(SilentClients, OneThatVanishesAfterARefusedFrameIsNotCountedAnyMore) {
  Served host;
  {
    Client client(host.port());
    create_topic(client, "empty", 1);
    ASSERT_TRUE(client.send(
        joined({long_poll("empty", 600000, 1), framed(Buffer{0x7f, 0x7f, 0, 0, 0, 0, 0, 1})})));
    expect_metric(host, "muster_refused_frames_total", 1);
  }
  expect_connections(host, 0);
}

TEST(SilentClients, OneThatSaysAllAtOnceAndEndsGetsAnswersToWhatItsLimitHeldBack) {
  Served host({"limits.connection_requests=1"});
  Client client(host.port());
  create_topic(client, "empty", 1);
  const Buffer quick = request(protocol::ApiVersionsRequest{}, 0, 2);
  ASSERT_TRUE(client.send(joined({long_poll("empty", 2500, 1), quick, quick})));
  client.finish_sending();
  for (const std::int32_t expected : {1, 2, 2}) {
    const auto answer = client.receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(protocol::Reader(*answer).read_int32(), expected);
  }
  EXPECT_EQ(client.read_to_end(), 0u);
}

TEST(SilentClients, WhatIsNotAnsweredIsCountedInBytes) {
  Served host;
  Client client(host.port());
  create_topic(client, "empty", 1);
  expect_metric(host, "muster_in_flight_bytes", 0);
  const Buffer poll = long_poll("empty", 1000, 1);
  ASSERT_TRUE(client.send(poll));
  expect_metric(host, "muster_in_flight_bytes", static_cast<double>(poll.size() - 4));
  ASSERT_TRUE(client.receive());
  expect_metric(host, "muster_in_flight_bytes", 0);
}

TEST(SilentClients, AnIdleConnectionIsClosed) {
  Served host({"connections.max.idle.ms=200"});
  const Client client(host.port());
  EXPECT_EQ(client.read_to_end(), 0u);
  expect_metric(host, "muster_connections_idle_closed_total", 1);
}

TEST(SilentClients, AnIdleConnectionIsClosedThoughItReadsNothing) {
  Served host({"connections.max.idle.ms=200", "limits.connection_bytes=65536"});
  const Client client(host.port());
  (void)client.send_until_refused(many_requests(48u << 20), std::chrono::seconds(3));
  expect_connections(host, 0);
}

}  // namespace
}  // namespace muster::sockets
