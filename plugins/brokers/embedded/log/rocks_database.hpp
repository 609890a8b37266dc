// The database of the durable log: its families, its settings, and what becomes of writing once
// a disk is full or failed. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "log/log.hpp"

namespace muster::embedded {

enum class Family : std::uint8_t {
  metadata,   // cluster id, topics, producer ids, where logs start and end
  index,      // base offset -> IndexValue: where a batch lies in the segments
  producers,  // producer id -> ProducerEntry
};
inline constexpr std::size_t family_count = 3;

class RocksDatabase {
 public:
  static Stored<std::shared_ptr<RocksDatabase>> open(const std::filesystem::path& folder);
  ~RocksDatabase();
  RocksDatabase(const RocksDatabase&) = delete;
  RocksDatabase& operator=(const RocksDatabase&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  rocksdb::DB& db() { return *db_; }
  rocksdb::ColumnFamilyHandle* family(Family of) const {
    return families_[static_cast<std::size_t>(of)];
  }

  // A full disk takes more once there is room. After any other failure nothing is written any more:
  // what the file holds is only known again once it is read from the beginning.
  Stored<void> write(rocksdb::WriteBatch& batch, bool sync);
  // Nothing: there is no such key.
  Stored<std::optional<std::string>> get(Family of, const std::string& key);
  // That keys of [first, last) were removed from all families but that of metadata.
  void freed(std::string first, std::string last);
  Stored<void> reclaim(std::atomic<bool>& cancelled);
  StorageError unreadable(const std::string& why) const;
  // Ends writing, as a failed write does.
  StorageError failed(const std::string& why);

 private:
  enum class Writing : std::uint8_t { goes_on, waits_for_room, over };

  explicit RocksDatabase(std::filesystem::path folder) : folder_(std::move(folder)) {}
  StorageError unwritable(std::string_view until, const std::string& why) const;

  const std::filesystem::path folder_;
  std::unique_ptr<rocksdb::DB> db_;
  std::array<rocksdb::ColumnFamilyHandle*, family_count> families_{};
  std::atomic<Writing> writing_{Writing::goes_on};
  std::mutex freed_mutex_;
  std::map<std::string, std::string> freed_;
};

// The keys of one family in [first, last). Sees what was there when it was made.
class RocksWalk {
 public:
  RocksWalk(RocksDatabase& database, Family family, std::string first, std::string last);
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
