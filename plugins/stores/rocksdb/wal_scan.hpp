// What the bytes of one of RocksDB's write-ahead logs are. Pure.
#pragma once

#include <cstdint>
#include <span>

namespace muster::rocks_store {

enum class WalState : std::uint8_t {
  clean,
  torn,  // it ends in damage
  lost,  // writes follow damage
};

struct WalScan {
  WalState state = WalState::clean;
  bool has_writes = false;  // that write something
};

[[nodiscard]] WalScan scan_wal(std::span<const std::uint8_t> log);

}  // namespace muster::rocks_store
