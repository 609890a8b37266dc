// SIGTERM: what waits is answered or refused, then the process ends well.
#include "heartbeats.hpp"
#include "topics.hpp"

#include <gmock/gmock.h>

namespace muster::sockets {
namespace {

TEST(Drain, WithoutConnectionsItEndsAtOnce) {
  Served host;
  host.terminate();
  EXPECT_EQ(host.wait(), 0);
}

TEST(Drain, QuietConnectionsAreClosed) {
  Served host;
  const Client quiet(host.port());
  const Client half(host.port());
  ASSERT_TRUE(half.send(Buffer{0, 0, 1, 0, 0, 18}));
  ASSERT_TRUE(host.answers());
  host.terminate();
  EXPECT_EQ(quiet.read_to_end(), 0u);
  EXPECT_EQ(half.read_to_end(), 0u);
  EXPECT_EQ(host.wait(), 0);
}

TEST(Drain, AFetchThatWaitsIsStillAnswered) {
  Served host;
  Client client(host.port());
  create_topic(client, "empty", 1);
  ASSERT_TRUE(client.send(long_poll("empty", 1500, 1)));
  // Another request proves that the fetch has been read: one thread of it may be behind.
  ASSERT_TRUE(host.answers());
  host.terminate();
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(protocol::Reader(*answer).read_int32(), 1);
  EXPECT_EQ(client.read_to_end(), 0u);
  EXPECT_EQ(host.wait(), 0);
}

TEST(Drain, AHeartbeatThatWaitsForAnAssignorIsAnsweredOrRefused) {
  const SleepyHost sleepy("assignor.wait.ms=60000");
  Beating slow(sleepy.host().port(), "slow", "assign_sleeps");
  slow.send_join();
  ASSERT_TRUE(sleepy.host().answers());
  sleepy.host().terminate();
  const Heard heard = slow.heard();
  constexpr std::int16_t coordinator_not_available = 15;
  constexpr std::int16_t not_coordinator = 16;
  EXPECT_THAT(heard.message.error_code,
              ::testing::AnyOf(0, coordinator_not_available, not_coordinator));
  EXPECT_EQ(sleepy.host().wait(), 0);
}

TEST(Drain, AFetchThatWaitsForTenMinutesDoesNotKeepItAlive) {
  Served host;
  Client client(host.port());
  create_topic(client, "empty", 1);
  ASSERT_TRUE(client.send(long_poll("empty", 600000, 1)));
  ASSERT_TRUE(host.answers());
  host.terminate();
  EXPECT_EQ(host.wait(), 0);
}

}  // namespace
}  // namespace muster::sockets
