// What is damaged of RocksDB's write-ahead logs. RocksDB itself goes on without a word where a log
// has zeroes or a wrong length in its middle, or else leaves out all that follows any damage.
#pragma once

#include <optional>
#include <string>

namespace muster::rocks_store {

struct WalDamage {
  // A log in which writes follow damage: what was lost may have been acknowledged.
  std::optional<std::string> lost;
  // Nothing follows the damage: a last write that never finished.
  bool last_write_is_torn = false;
};

// Reads the logs in the folder; nothing else may be at work there.
[[nodiscard]] WalDamage find_wal_damage(const std::string& folder);

}  // namespace muster::rocks_store
