// What is in a file; empty where there is none.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace muster::testing {

inline std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace muster::testing
