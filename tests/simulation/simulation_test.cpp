// Many short runs, each from its own seed.
#include <gtest/gtest.h>

#include <algorithm>

#include "runs.hpp"

namespace muster::simulation {
namespace {

class Simulation : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Simulation, GroupsKeepTheirPromisesWhateverHappens) {
  constexpr std::uint64_t runs = 50;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + runs; ++seed) {
    const std::string wrong = run_one(seed);
    ASSERT_TRUE(wrong.empty()) << wrong;
  }
}

INSTANTIATE_TEST_SUITE_P(FromSeed, Simulation,
                         ::testing::Values(1, 51, 101, 151, 201, 251, 301, 351),
                         ::testing::PrintToStringParamName());

// A simulation that never gets anywhere finds nothing.
TEST(SimulationReach, EverythingThatMayHappenDoes) {
  std::map<std::string, int> seen;
  for (const char* event :
       {"has committed", "its session expired", "did not revoke", "waited too long", "error 14",
        "error 15", "error 16", "error 25", "error 111", "leaves for a while",
        "it did not finish in time", "no worker was free in time", "crossed the border",
        "two members", "partition that does not", "closed: the store could not load",
        "could not commit", "but has landed", "deleted"}) {
    seen[event] = 0;
  }
  const auto is_missing = [](const auto& event) { return event.second == 0; };
  for (std::uint64_t seed = 1; seed <= 400 && std::ranges::any_of(seen, is_missing); ++seed) {
    World world(seed);
    world.trace().watched = seen;
    world.run();
    seen = world.trace().watched;
  }
  for (const auto& [event, count] : seen) EXPECT_GT(count, 0) << event;
}

TEST(SimulationOrder, TheSameSeedGivesTheSameRun) {
  World first(7);
  World second(7);
  World other(8);
  first.run();
  second.run();
  other.run();
  EXPECT_EQ(first.trace().hash(), second.trace().hash());
  EXPECT_NE(first.trace().hash(), other.trace().hash());
}

}  // namespace
}  // namespace muster::simulation
