#include "faults.hpp"

#include <string_view>

#include <muster/sdk/barrier.hpp>
#include <muster/sdk/text.hpp>

namespace muster::rocks_store {
namespace {

bool says(const rocksdb::Status& status, std::string_view what) {
  return status.ToString().find(what) != std::string::npos;
}

}  // namespace

std::string describe(const rocksdb::Status& status, const std::string& folder) {
  if (status.IsNoSpace() || says(status, "No space left on device") ||
      says(status, "Disk quota exceeded")) {
    return sdk::text("the disk that holds ", folder, " is full; free some space");
  }
  if (says(status, "While lock file") || says(status, "lock hold by current process")) {
    return sdk::text(folder, " is in use by another process");
  }
  if (says(status, "Read-only file system") || says(status, "Permission denied")) {
    return sdk::text(folder, " cannot be written: ", status.ToString());
  }
  if (status.IsCorruption()) {
    return sdk::text("the data in ", folder, " is damaged (", status.ToString(),
                     "); restore the folder from a copy, or remove it to start empty");
  }
  return sdk::text(folder, ": ", status.ToString());
}

muster_code code_of(const rocksdb::Status& status) {
  if (status.ok()) return MUSTER_OK;
  return status.IsCorruption() ? MUSTER_CORRUPT : MUSTER_UNAVAILABLE;
}

void require(const rocksdb::Status& status, const std::string& folder) {
  if (!status.ok()) throw sdk::Failure(code_of(status), describe(status, folder));
}

}  // namespace muster::rocks_store
