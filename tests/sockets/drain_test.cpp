// SIGTERM: what waits is answered or refused, then the process ends well.
#include "heartbeats.hpp"
#include "topics.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace muster::sockets {
namespace {

// What the host gives its connections; whoever needs less than that was not cut off by it.
constexpr std::chrono::seconds drain_deadline{10};

std::chrono::steady_clock::duration time_to_end(Served& host) {
  const auto start = std::chrono::steady_clock::now();
  host.terminate();
  EXPECT_EQ(host.wait(), 0);
  return std::chrono::steady_clock::now() - start;
}

// Until the host can send no more and reads no more.
void fill_both_ways(const Client& client) {
  (void)client.send_until_refused(many_requests(48u << 20), std::chrono::seconds(1));
}

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

TEST(Drain, AFetchThatWaitsEndsAtOnce) {
  Served host;
  Client client(host.port());
  create_topic(client, "empty", 1);
  ASSERT_TRUE(client.send(joined({long_poll("empty", 600000, 1), long_poll("empty", 600000, 2)})));
  // Another request proves that the fetch has been read: one thread of it may be behind.
  ASSERT_TRUE(host.answers());
  EXPECT_LT(time_to_end(host), drain_deadline);
  EXPECT_EQ(client.read_to_end(), 0u);
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

TEST(Drain, AClientThatTakesNoAnswersDoesNotKeepItAlive) {
  Served host({"limits.connection_bytes=65536"});
  const Client client(host.port());
  fill_both_ways(client);
  host.terminate();
  EXPECT_EQ(host.wait(), 0);
}

TEST(Drain, ASecondSignalEndsItAtOnce) {
  Served host({"limits.connection_bytes=65536"});
  const Client client(host.port());
  fill_both_ways(client);
  // Signals that are pending together are one: more than two, so that two are seen.
  for (int i = 0; i < 10; ++i) {
    host.terminate();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  constexpr int ended_by_sigterm = 128 + 15;
  EXPECT_EQ(host.wait(), ended_by_sigterm);
}

TEST(Drain, AnAssignorThatSleepsOrHangsDoesNotKeepItAlive) {
  for (const char* const assignor : {"assign_sleeps", "assign_hangs"}) {
    const SleepyHost sleepy("assignor.wait.ms=0", assignor);
    Beating slow(sleepy.host().port(), "slow", assignor);
    EXPECT_EQ(slow.join().message.member_epoch, 1);
    EXPECT_LT(time_to_end(sleepy.host()), std::chrono::seconds(4)) << assignor;
  }
}

TEST(Drain, AnAssignorThatWasWrittenOffDoesNotKeepItAlive) {
  const SleepyHost sleepy("host.assignor_deadline_ms=50", "assign_hangs");
  Beating slow(sleepy.host().port(), "slow", "assign_hangs");
  slow.join();
  while (sleepy.host().metric("muster_workers_written_off") != 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LT(time_to_end(sleepy.host()), drain_deadline);
}

}  // namespace
}  // namespace muster::sockets
