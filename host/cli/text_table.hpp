// Aligned columns for a terminal. Owner: host/cli. Pure.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

// Bytes that steer a terminal as "\x1b", so that a name cannot.
[[nodiscard]] std::string printable(std::string_view text);

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells);
  // Titles and rows, two spaces between columns, none at the end of a line.
  void print(std::ostream& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace muster::host
