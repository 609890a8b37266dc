// ProbeCache: one hash a line; appended, never rewritten.
#include "plugins/probe.hpp"

#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

namespace muster::host {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;

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
  // Block by block: every start does this for every plugin.
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> block(block_size);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    XXH3_64bits_update(state.get(), block.data(), static_cast<std::size_t>(in.gcount()));
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace muster::host
