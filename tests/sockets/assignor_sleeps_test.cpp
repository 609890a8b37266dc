// An assignor that takes five seconds: who joins does not wait for it, and other groups not at all.
// Shown by the order of events: one shard, one thread that serves, and all of the other group's
// answers come first.
#include "heartbeats.hpp"

#include <thread>

namespace muster::sockets {
namespace {

std::size_t assigned(const Heard& heard) {
  std::size_t count = 0;
  if (!heard.message.assignment) return 0;
  for (const auto& topic : heard.message.assignment->topic_partitions) {
    count += topic.partitions.size();
  }
  return count;
}

TEST(AssignorSleeps, WhoJoinsIsAnsweredWithTheOldEpochAndOtherGroupsDoNotWait) {
  const SleepyHost sleepy("assignor.wait.ms=100");
  Served& host = sleepy.host();
  Beating slow(host.port(), "slow", "assign_sleeps");
  Beating fast(host.port(), "fast", "uniform");
  const Heard joined = slow.join();
  EXPECT_EQ(joined.message.member_epoch, 1);
  EXPECT_EQ(assigned(joined), 0u);

  const Heard other = fast.join();
  EXPECT_EQ(assigned(other), 4u);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(fast.beat().message.member_epoch, 2);
  // All that came while the assignor slept: its group still has the old epoch.
  EXPECT_EQ(slow.beat().message.member_epoch, 1);

  Heard heard = slow.beat();
  while (heard.message.member_epoch == 1 && !::testing::Test::HasFailure()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    heard = slow.beat();
  }
  EXPECT_EQ(heard.message.member_epoch, 2);
  EXPECT_EQ(assigned(heard), 4u);
}

}  // namespace
}  // namespace muster::sockets
