// simulation_test [--seed N | --soak] [GoogleTest options]
//   --seed N  one run, every event printed
//   --soak    new seeds for MUSTER_SOAK_SECONDS (60)
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>

#include "runs.hpp"

namespace muster::simulation {
namespace {

int show(std::uint64_t seed) {
  const std::string wrong = run_one(seed, true);
  std::cout << (wrong.empty() ? "fine\n" : wrong.substr(wrong.find("\n\n") + 1));
  return wrong.empty() ? 0 : 1;
}

int soak() {
  const char* const given = std::getenv("MUSTER_SOAK_SECONDS");
  const std::chrono::seconds length(given == nullptr ? 60 : std::atoi(given));
  const auto until = std::chrono::steady_clock::now() + length;
  const std::uint64_t first = std::random_device{}() * std::uint64_t{1000};
  std::uint64_t runs = 0;
  for (; std::chrono::steady_clock::now() < until; ++runs) {
    const std::string wrong = run_one(first + runs);
    if (wrong.empty()) continue;
    std::cout << wrong;
    return 1;
  }
  std::cout << runs << " runs from seed " << first << " are fine\n";
  return 0;
}

}  // namespace
}  // namespace muster::simulation

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const std::string_view wish = argc > 1 ? argv[1] : "";
  if (wish == "--seed" && argc > 2) {
    return muster::simulation::show(std::strtoull(argv[2], nullptr, 10));
  }
  if (wish == "--soak") return muster::simulation::soak();
  return RUN_ALL_TESTS();
}
