// What happened in a run, newest last, and what went wrong first. Tests only; one thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace muster::simulation {

class Trace {
 public:
  static constexpr std::size_t kept_lines = 250;

  explicit Trace(std::function<std::int64_t()> now_ms) : now_ms_(std::move(now_ms)) {}

  void add(const std::string& what) {
    std::string line = std::to_string(now_ms_()) + " ms  " + what;
    hash_ = std::hash<std::string>{}(line) ^ (hash_ * 0x9E3779B97F4A7C15U);
    for (auto& [event, count] : watched) {
      if (line.find(event) != std::string::npos) ++count;
    }
    if (is_loud) std::printf("%s\n", line.c_str());
    lines_.push_back(std::move(line));
    if (lines_.size() > kept_lines) lines_.pop_front();
  }
  // Deep inside the runtime nothing may be thrown: the run ends before its next step.
  void violated(const std::string& what) {
    if (violation_.empty()) violation_ = what;
    add("VIOLATED: " + what);
  }

  const std::string& violation() const { return violation_; }
  // Equal for equal runs.
  std::uint64_t hash() const { return hash_; }
  std::string text() const {
    std::string out;
    for (const std::string& line : lines_) out += line + "\n";
    return out;
  }

  bool is_loud = false;
  std::map<std::string, int> watched;  // how often a line with this text was added

 private:
  std::function<std::int64_t()> now_ms_;
  std::deque<std::string> lines_;
  std::string violation_;
  std::uint64_t hash_ = 0;
};

}  // namespace muster::simulation
