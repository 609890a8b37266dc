// Runs the built binary once: what it prints and what it ends with.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace muster::commands {

struct Ran {
  int code = -1;
  std::string out;
  std::string err;

  // Its output; a failed expectation if that is no JSON.
  [[nodiscard]] nlohmann::json json() const;
};

[[nodiscard]] Ran muster(const std::vector<std::string>& arguments);

}  // namespace muster::commands
