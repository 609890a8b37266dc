// Clients that do not read, do not write, or vanish: nobody else notices, nothing is kept.
#include "served.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>

#include <thread>

namespace muster::sockets {
namespace {

Buffer many_requests(std::size_t bytes) {
  const Buffer one = request(protocol::ApiVersionsRequest{}, 0, 1);
  Buffer all;
  all.reserve(bytes + one.size());
  while (all.size() < bytes) all.insert(all.end(), one.begin(), one.end());
  return all;
}

// Waits until the host counts so many connections.
void expect_connections(const Served& host, double count) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (host.metric("muster_connections") != count) {
    if (std::chrono::steady_clock::now() > until) {
      ADD_FAILURE() << host.metric("muster_connections") << " connections instead of " << count;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
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

TEST(SilentClients, AnIdleConnectionIsClosed) {
  Served host({"connections.max.idle.ms=200"});
  const Client client(host.port());
  EXPECT_EQ(client.read_to_end(), 0u);
}

TEST(SilentClients, AnIdleConnectionIsClosedThoughItReadsNothing) {
  Served host({"connections.max.idle.ms=200", "limits.connection_bytes=65536"});
  const Client client(host.port());
  (void)client.send_until_refused(many_requests(48u << 20), std::chrono::seconds(3));
  expect_connections(host, 0);
}

}  // namespace
}  // namespace muster::sockets
