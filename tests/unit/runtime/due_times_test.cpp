#include "runtime/due_times.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::host {
namespace {

using Times = DueTimes<std::string, std::hash<std::string>, std::equal_to<>>;

std::string due(Times& times, std::int64_t now) { return times.pop_due(now).value_or("-"); }

TEST(DueTimes, FireInTheOrderOfTheirDeadlines) {
  Times times;
  times.arm(std::string("late"), 30);
  times.arm(std::string("early"), 10);

  EXPECT_EQ(due(times, 9), "-");
  EXPECT_EQ(due(times, 30), "early");
  EXPECT_EQ(due(times, 30), "late");
  EXPECT_EQ(due(times, 100), "-");
}

TEST(DueTimes, EqualDeadlinesFireInArmingOrder) {
  Times times;
  for (const char* key : {"c", "a", "b"}) times.arm(std::string(key), 5);

  EXPECT_EQ(due(times, 5), "c");
  EXPECT_EQ(due(times, 5), "a");
  EXPECT_EQ(due(times, 5), "b");
}

TEST(DueTimes, ARenewedKeyFiresOnceAtItsNewDeadline) {
  Times times;
  times.arm(std::string("k"), 10);
  times.arm(std::string("k"), 20);

  EXPECT_EQ(due(times, 19), "-");
  EXPECT_EQ(due(times, 20), "k");
  EXPECT_EQ(due(times, 100), "-");
}

TEST(DueTimes, ADeadlineMovedForwardFiresEarly) {
  Times times;
  times.arm(std::string("k"), 100);
  times.arm(std::string("k"), 50);

  EXPECT_EQ(due(times, 50), "k");
  times.arm(std::string("k"), 60);
  EXPECT_EQ(due(times, 60), "k");
  EXPECT_EQ(due(times, 200), "-");
}

TEST(DueTimes, ACancelledKeyStaysQuietAndCanBeArmedAgain) {
  Times times;
  times.arm(std::string("k"), 10);
  times.cancel(std::string("k"));
  EXPECT_FALSE(times.armed(std::string("k")));
  EXPECT_EQ(due(times, 10), "-");

  times.arm(std::string("k"), 20);
  EXPECT_TRUE(times.armed(std::string("k")));
  EXPECT_EQ(due(times, 20), "k");
}

TEST(DueTimes, PushBackMovesAllThatIsArmed) {
  Times times;
  times.arm(std::string("a"), 10);
  times.arm(std::string("b"), 11);
  times.cancel(std::string("b"));
  times.push_back(100);

  EXPECT_EQ(due(times, 109), "-");
  EXPECT_EQ(due(times, 110), "a");
  EXPECT_EQ(due(times, 1000), "-");
  EXPECT_EQ(times.size(), 0u);
}

TEST(DueTimes, PushBackKeepsTheOrderOfEqualDeadlines) {
  Times times;
  const std::vector<std::string> keys{"f", "b", "e", "a", "d", "c"};
  for (const auto& key : keys) times.arm(key, 5);
  times.push_back(100);

  for (const auto& key : keys) EXPECT_EQ(due(times, 105), key);
}

TEST(DueTimes, NextIsNeverLaterThanTheEarliestDeadline) {
  Times times;
  EXPECT_EQ(times.next(), no_deadline);
  times.arm(std::string("a"), 10);
  times.arm(std::string("a"), 50);
  EXPECT_LE(times.next(), 50);
  EXPECT_EQ(due(times, 10), "-");
  EXPECT_EQ(times.next(), 50);
}

}  // namespace
}  // namespace muster::host
