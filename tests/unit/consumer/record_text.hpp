// Records as lines that a test can compare: "8 m1 at 2 after 0 stable foo:0@2,1@2". Tests only.
#pragma once

#include <muster/testing/fake_decision.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "topics.hpp"

namespace muster::consumer {

// Tombstones: "-8 m1". Times are relative to `start_ms`; 0 stays 0.
class RecordText {
 public:
  RecordText(const Topics& topics, std::int64_t start_ms) : topics_(topics), start_ms_(start_ms) {}

  [[nodiscard]] std::string of(const testing::Write& write) const;
  [[nodiscard]] std::vector<std::string> of(const testing::Outcome& outcome) const;

 private:
  [[nodiscard]] std::string time_of(std::int64_t ms) const;
  [[nodiscard]] std::string member(const testing::Write& write) const;
  [[nodiscard]] std::string classic(const testing::Write& write) const;
  [[nodiscard]] std::string current(const testing::Write& write) const;

  const Topics& topics_;
  std::int64_t start_ms_;
};

}  // namespace muster::consumer
