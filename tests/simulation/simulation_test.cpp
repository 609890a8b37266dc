// Many short runs, each from its own seed.
#include <gtest/gtest.h>

#include "runs.hpp"

namespace muster::simulation {
namespace {

class Simulation : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Simulation, GroupsKeepTheirPromisesWhateverHappens) {
  constexpr std::uint64_t runs = 25;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + runs; ++seed) {
    const std::string wrong = run_one(seed);
    ASSERT_EQ(wrong, "");
  }
}

INSTANTIATE_TEST_SUITE_P(FromSeed, Simulation,
                         ::testing::Values(1, 26, 51, 76, 101, 126, 151, 176),
                         ::testing::PrintToStringParamName());

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
