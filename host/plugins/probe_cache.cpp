// ProbeCache: one hash a line; appended, never rewritten.
#include "plugins/probe.hpp"

#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace muster::host {
namespace {

// A new border means a new look at everything.
constexpr const char* cache_name = "probed-plugins-0.1";

std::string hex(std::uint64_t value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4U) {
    text[static_cast<std::size_t>(i)] = digits[value & 15U];
  }
  return text;
}

}  // namespace

ProbeCache::ProbeCache(std::filesystem::path folder) {
  if (!folder.empty()) file_ = std::move(folder) / cache_name;
}

bool ProbeCache::knows(std::uint64_t content_hash) const {
  std::ifstream in(file_);
  const std::string wanted = hex(content_hash);
  for (std::string line; std::getline(in, line);) {
    if (line == wanted) return true;
  }
  return false;
}

void ProbeCache::add(std::uint64_t content_hash) {
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  std::ofstream(file_, std::ios::app) << hex(content_hash) + "\n";
}

std::expected<std::uint64_t, std::string> content_hash(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return std::unexpected(file.string() + ": it cannot be read: " + std::strerror(errno));
  }
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace muster::host
