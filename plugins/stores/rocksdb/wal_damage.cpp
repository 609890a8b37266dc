// See wal_damage.hpp.
#include "wal_damage.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "wal_scan.hpp"

namespace muster::rocks_store {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> logs_of(const fs::path& folder) {
  std::vector<std::pair<std::uint64_t, fs::path>> numbered;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".log") continue;
    numbered.emplace_back(std::strtoull(entry.path().stem().c_str(), nullptr, 10), entry.path());
  }
  std::ranges::sort(numbered);
  std::vector<fs::path> logs;
  for (auto& [number, path] : numbered) logs.push_back(std::move(path));
  return logs;
}

// At once: byte by byte it would take longer than all else of a start.
std::vector<std::uint8_t> read(const fs::path& log) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(log, error);
  std::vector<std::uint8_t> bytes(error ? 0 : size);
  std::ifstream in(log, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace

WalDamage find_wal_damage(const std::string& folder) {
  WalDamage damage;
  for (const fs::path& log : logs_of(folder)) {
    const WalScan scan = scan_wal(read(log));
    if (scan.state == WalState::lost) damage.lost = log.string();
    // An older log that ends in damage is RocksDB's to judge: it may not be needed any more.
    if (scan.has_writes) damage.last_write_is_torn = false;
    if (scan.state == WalState::torn) damage.last_write_is_torn = true;
  }
  return damage;
}

}  // namespace muster::rocks_store
