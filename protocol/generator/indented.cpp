// Indents generated text by counting brackets, so that the emitters need not.
#include "emit.hpp"

#include <algorithm>
#include <sstream>

namespace muster::generator {

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  int depth = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("namespace")) {
      out += line + "\n";
      continue;
    }
    if (line.starts_with("}  // namespace")) {
      out += line + "\n";
      continue;
    }
    const int opened = static_cast<int>(std::ranges::count(line, '{'));
    const int closed = static_cast<int>(std::ranges::count(line, '}'));
    const bool closes_first = line.starts_with("}");
    const int level = depth - (closes_first ? 1 : 0);
    if (!line.empty()) out += std::string(static_cast<std::size_t>(std::max(level, 0)) * 2, ' ');
    out += line + "\n";
    depth += opened - closed;
  }
  return out;
}

}  // namespace muster::generator
