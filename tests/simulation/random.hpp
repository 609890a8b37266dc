// The one source of chance of a run. The same seed gives the same run on every machine, which the
// distributions of the standard library do not promise. Tests only; one thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace muster::simulation {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  // 0 .. below - 1
  std::size_t below(std::size_t below) { return static_cast<std::size_t>(next() % below); }
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::size_t>(last - first + 1)));
  }
  bool chance(std::size_t in_a_thousand) { return below(1000) < in_a_thousand; }

 private:
  std::uint64_t state_;
};

}  // namespace muster::simulation
