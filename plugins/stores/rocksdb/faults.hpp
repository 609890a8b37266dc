// What RocksDB reports, in sentences for whoever runs the host.
#pragma once

#include <rocksdb/status.h>

#include <string>

#include <muster/abi/types.h>

namespace muster::rocks_store {

[[nodiscard]] std::string describe(const rocksdb::Status& status, const std::string& folder);
[[nodiscard]] muster_code code_of(const rocksdb::Status& status);
// Nothing if it is well, else a Failure that says why.
void require(const rocksdb::Status& status, const std::string& folder);

}  // namespace muster::rocks_store
