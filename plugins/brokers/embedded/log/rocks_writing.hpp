// One write of the durable log's database.
#pragma once

#include <string>

#include "log/rocks_database.hpp"

namespace muster::embedded {

// RocksDB's statuses of building a batch in memory tell nothing: it has no limit.
class Writing {
 public:
  explicit Writing(RocksDatabase& database) : database_(database) {}

  void put(Family family, const std::string& key, const rocksdb::Slice& value) {
    batch_.Put(database_.family(family), key, value).PermitUncheckedError();
  }
  void remove(Family family, const std::string& key) {
    batch_.Delete(database_.family(family), key).PermitUncheckedError();
  }
  void remove_range(Family family, const std::string& first, const std::string& last) {
    batch_.DeleteRange(database_.family(family), first, last).PermitUncheckedError();
  }
  Stored<void> commit(bool sync) { return database_.write(batch_, sync); }

 private:
  RocksDatabase& database_;
  rocksdb::WriteBatch batch_;
};

}  // namespace muster::embedded
