// Whole runs by seed. Tests only.
#pragma once

#include <string>

#include "world.hpp"

namespace muster::simulation {

// Empty: fine. Otherwise what went wrong, the last events and how to see them again.
inline std::string run_one(std::uint64_t seed, bool is_loud = false) {
  World world(seed, is_loud);
  const std::string wrong = world.run();
  if (wrong.empty()) return {};
  return world.trace().text() + "\n" + wrong + "\nreproduce: simulation_test --seed " +
         std::to_string(seed) + "\n";
}

}  // namespace muster::simulation
