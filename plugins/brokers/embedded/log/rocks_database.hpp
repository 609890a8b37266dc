// The database of the durable log: cluster id, topics, producer ids, where logs start; its
// settings, and what becomes of writing once a disk is full or failed. Any thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "log/log.hpp"

namespace muster::embedded {

class RocksDatabase {
 public:
  static Stored<std::shared_ptr<RocksDatabase>> open(const std::filesystem::path& folder);
  ~RocksDatabase();
  RocksDatabase(const RocksDatabase&) = delete;
  RocksDatabase& operator=(const RocksDatabase&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  rocksdb::DB& db() { return *db_; }

  // A full disk takes more once there is room. After any other failure nothing is written any more:
  // what the file holds is only known again once it is read from the beginning.
  Stored<void> write(rocksdb::WriteBatch& batch, bool sync);
  Stored<void> put(const std::string& key, const std::string& value, bool sync);
  // Nothing: there is no such key.
  Stored<std::optional<std::string>> get(const std::string& key);
  StorageError unreadable(const std::string& why) const;

 private:
  enum class Writing : std::uint8_t { goes_on, waits_for_room, over };

  explicit RocksDatabase(std::filesystem::path folder) : folder_(std::move(folder)) {}
  StorageError unwritable(std::string_view until, const std::string& why) const;

  const std::filesystem::path folder_;
  std::unique_ptr<rocksdb::DB> db_;
  std::atomic<Writing> writing_{Writing::goes_on};
};

// The keys in [first, last). Sees what was there when it was made.
class RocksWalk {
 public:
  RocksWalk(RocksDatabase& database, std::string first, std::string last);
  RocksWalk(const RocksWalk&) = delete;
  RocksWalk& operator=(const RocksWalk&) = delete;

  rocksdb::Iterator* operator->() const { return iterator_.get(); }
  std::string_view key() const { return iterator_->key().ToStringView(); }
  std::string_view value() const { return iterator_->value().ToStringView(); }

 private:
  const std::string first_;
  const std::string last_;
  const rocksdb::Slice lower_{first_};
  const rocksdb::Slice upper_{last_};
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

}  // namespace muster::embedded
