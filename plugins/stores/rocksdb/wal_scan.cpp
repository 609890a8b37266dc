// The format, unchanged since LevelDB: blocks of 32 KiB of pieces, each with a masked CRC-32C, a
// length and a type. A write is one piece, or a first, middle ones and a last.
#include "wal_scan.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <muster/protocol/crc32c.hpp>

namespace muster::rocks_store {
namespace {

using Block = std::span<const std::uint8_t>;

constexpr std::size_t block_size = 32768;
constexpr std::size_t header_size = 7;
constexpr std::size_t empty_batch_size = 12;

struct Piece {
  std::size_t size;  // with its header
  bool begins_a_write;
  bool is_empty;  // a batch of nothing: RocksDB begins a log with one after it recovered
};

std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8U; }

// nullopt: what begins the bytes is no whole piece.
std::optional<Piece> read_piece(Block at) {
  if (at.size() < header_size) return std::nullopt;
  const std::uint32_t crc = at[0] | at[1] << 8 | at[2] << 16 | std::uint32_t{at[3]} << 24;
  const std::size_t length = at[4] | at[5] << 8;
  constexpr std::uint8_t whole = 1, first = 2, last = 4;
  const std::uint8_t type = at[6];
  if (type < whole || type > last || at.size() < header_size + length) return std::nullopt;
  if (masked(protocol::crc32c(at.subspan(header_size - 1, length + 1))) != crc) return std::nullopt;
  return Piece{header_size + length, type == whole || type == first,
               type == whole && length == empty_batch_size};
}

class Scan {
 public:
  explicit Scan(Block log) {
    for (; !log.empty(); log = log.subspan(std::min(log.size(), block_size))) {
      take_block(log.first(std::min(log.size(), block_size)));
    }
  }
  WalScan result() const {
    const WalState state = lost_ ? WalState::lost : damaged_ ? WalState::torn : WalState::clean;
    return {state, has_writes_};
  }

 private:
  void take_block(Block block) {
    Block rest = block;
    while (rest.size() >= header_size && !lost_) {
      if (const auto piece = read_piece(rest)) {
        has_writes_ = has_writes_ || (piece->begins_a_write && !piece->is_empty);
        lost_ = damaged_ && piece->begins_a_write;
        rest = rest.subspan(piece->size);
      } else {
        // Its length may be what is damaged, so the next one may begin anywhere.
        damaged_ = true;
        rest = rest.subspan(1);
      }
    }
    // At the end of a whole block there is no room for a piece; at the end of a log it is one.
    damaged_ = damaged_ || (block.size() < block_size && !rest.empty());
  }

  bool has_writes_ = false, damaged_ = false, lost_ = false;
};

}  // namespace

WalScan scan_wal(std::span<const std::uint8_t> log) { return Scan(log).result(); }

}  // namespace muster::rocks_store
