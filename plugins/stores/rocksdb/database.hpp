// How the store's RocksDB is set up and opened.
#pragma once

#include <rocksdb/db.h>

#include <memory>
#include <string>

#include <muster/sdk/host.hpp>

namespace muster::rocks_store {

// Throws a Failure that says what is in the way. A last write that was torn is left out and told.
[[nodiscard]] std::unique_ptr<rocksdb::DB> open_database(const std::string& folder,
                                                         const sdk::Host& host);

}  // namespace muster::rocks_store
