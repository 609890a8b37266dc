// What load tools measure: a server's CPU time, and how long answers take.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace muster::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// User and system time of a process.
inline double cpu_seconds(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(stat, line);
  std::istringstream rest(line.substr(line.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double user = 0;
  double system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// A name that nobody else has.
inline std::string fresh(const char* prefix) {
  static std::mt19937_64 random{std::random_device{}()};
  return prefix + std::to_string(random());
}

class Latencies {
 public:
  void add(Clock::time_point sent, Clock::time_point answered) {
    us_.push_back(static_cast<std::uint32_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(answered - sent).count()));
  }
  void clear() { us_.clear(); }
  // 0.5 is the median.
  std::uint32_t percentile_us(double share) {
    if (us_.empty()) return 0;
    const auto at =
        us_.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(us_.size() - 1));
    std::nth_element(us_.begin(), at, us_.end());
    return *at;
  }

 private:
  std::vector<std::uint32_t> us_;
};

}  // namespace muster::bench
