// Reads the compressed vectors.
#include "vector_file.hpp"

#include <zlib.h>

#include <array>
#include <charconv>
#include <memory>
#include <stdexcept>

namespace muster::protocol::testing {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  throw std::runtime_error("not a hexadecimal digit");
}

Vector parse(std::string_view line) {
  std::array<std::string_view, 5> columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t tab = i + 1 < columns.size() ? line.find('\t') : line.size();
    if (tab == std::string_view::npos) throw std::runtime_error("vector with too few columns");
    columns[i] = line.substr(0, tab);
    line.remove_prefix(std::min(tab + 1, line.size()));
  }
  Vector vector{std::string(columns[0]), 0, std::string(columns[2]), from_hex(columns[3]),
                std::string(columns[4])};
  std::from_chars(columns[1].data(), columns[1].data() + columns[1].size(), vector.version);
  return vector;
}

}  // namespace

void for_each_vector(const std::function<void(const Vector&)>& visit) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(MUSTER_VECTORS, "rb"), &gzclose);
  if (!file) throw std::runtime_error(MUSTER_VECTORS ": cannot be opened");
  std::array<char, 1 << 16> chunk;
  std::string line;
  while (gzgets(file.get(), chunk.data(), static_cast<int>(chunk.size())) != nullptr) {
    line += chunk.data();
    if (!line.ends_with('\n')) continue;
    line.pop_back();
    visit(parse(line));
    line.clear();
  }
  if (!line.empty()) throw std::runtime_error(MUSTER_VECTORS ": ends within a line");
}

Buffer from_hex(std::string_view text) {
  if (text.size() % 2 != 0) throw std::runtime_error("half a byte");
  Buffer bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(hex_digit(text[i]) << 4 | hex_digit(text[i + 1])));
  }
  return bytes;
}

std::string to_hex(Bytes bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text.push_back(digits[byte >> 4]);
    text.push_back(digits[byte & 15U]);
  }
  return text;
}

}  // namespace muster::protocol::testing
