// Writes the seeds of stored_fuzz: a write-ahead log of three writes, and a value of each kind.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include <muster/protocol/crc32c.hpp>
#include <muster/protocol/types.hpp>

#include "keys.hpp"
#include "log/index_entry.hpp"
#include "log/producer_snapshot.hpp"
#include "log/rocks_keys.hpp"

namespace {

// One whole write, as RocksDB frames it.
std::string piece(std::string_view payload) {
  const std::string checked = std::string(1, '\1').append(payload);
  const std::uint32_t crc = muster::protocol::crc32c(muster::protocol::as_bytes(checked));
  const std::uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(masked >> shift));
  out.push_back(static_cast<char>(payload.size()));
  out.push_back(static_cast<char>(payload.size() >> 8));
  return out.append(checked);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace muster::embedded;
  if (argc != 2) {
    std::cerr << "usage: stored_fuzz_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, char parser, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << parser << bytes;
  };
  write("wal", '\0', piece("one") + piece("two") + piece(std::string(300, 'x')));
  const IndexBytes entry = to_bytes(IndexEntry{.range = {7, 9, 5}, .position = 100, .size = 80});
  write("index", '\1', std::string(entry.begin(), entry.end()));
  const std::vector<ProducerEntry> known(2, {.producer_id = 4, .epoch = 1, .count = 3});
  const auto producers = to_bytes(known);
  write("producers", '\1', std::string(producers.begin(), producers.end() - 4));
  write("bounds", '\1', to_value(LogOffsets{3, 4}));
  write("number", '\1', to_value(std::int64_t{5}));
  write("space", '\1', muster::rocks_store::space_value({50, 3}));
}
