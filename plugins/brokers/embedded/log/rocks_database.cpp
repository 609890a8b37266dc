// See rocks_database.hpp. RocksDB's own defaults are made for machines that do nothing else; these
// settings keep a process small that is idle most of the time.
#include "log/rocks_database.hpp"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include <rocksdb/cache.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

rocksdb::DBOptions database_options() {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.max_background_jobs = 2;
  // Writers that wait would spin, on cores that others need.
  options.enable_write_thread_adaptive_yield = false;
  options.allow_concurrent_memtable_write = false;
  options.max_open_files = 256;
  // What is read again at a start after a kill.
  options.max_total_wal_size = 32 * mib;
  // Everything up to the first record that is not whole.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.bytes_per_sync = mib;
  options.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  options.keep_log_file_num = 2;
  options.max_log_file_size = mib;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.skip_stats_update_on_db_open = true;
  return options;
}

rocksdb::ColumnFamilyOptions small_family(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.cache_index_and_filter_blocks = true;
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = 2 * mib;
  options.max_write_buffer_number = 2;
  options.target_file_size_base = 8 * mib;
  options.compression = rocksdb::kNoCompression;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> families() {
  const auto cache = rocksdb::NewLRUCache(4 * mib, 2);
  const auto small = small_family(cache);
  return {{rocksdb::kDefaultColumnFamilyName, small}, {"index", small}, {"producers", small}};
}

// RocksDB may assert when a file is closed or flushed that could not be written: such a database is
// left as it lies until the process ends, as if that had been killed.
struct Abandoned {
  std::unique_ptr<rocksdb::DB> db;
  std::array<rocksdb::ColumnFamilyHandle*, family_count> families;
};

void abandon(Abandoned database) {
  static std::mutex mutex;
  static auto& abandoned = *new std::vector<Abandoned>;
  const std::lock_guard lock(mutex);
  abandoned.push_back(std::move(database));
}

StorageError open_fault(const std::filesystem::path& folder, const rocksdb::Status& status) {
  const std::string why = status.ToString();
  const std::string where = folder.string();
  if (why.find("/LOCK") != std::string::npos && why.find("ermission") == std::string::npos) {
    return {sdk::text("the folder ", where, " is in use: another process keeps its log there")};
  }
  if (status.IsCorruption()) return {sdk::text("the log in ", where, " is damaged: ", why)};
  return {sdk::text("the log in ", where, " cannot be opened: ", why)};
}

}  // namespace

Stored<std::shared_ptr<RocksDatabase>> RocksDatabase::open(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return std::unexpected(StorageError{
        sdk::text("the folder ", folder.string(), " cannot be made: ", error.message())});
  }
  std::shared_ptr<RocksDatabase> database(new RocksDatabase(folder));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(database_options(), folder.string(), families(), &handles, &db);
  if (!status.ok()) return std::unexpected(open_fault(folder, status));
  database->db_.reset(db);
  std::ranges::copy(handles, database->families_.begin());
  return database;
}

RocksDatabase::~RocksDatabase() {
  if (db_ == nullptr) return;
  if (writing_ != Writing::goes_on) {
    abandon({std::move(db_), families_});
    return;
  }
  db_->SyncWAL().PermitUncheckedError();
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    db_->DestroyColumnFamilyHandle(family).PermitUncheckedError();
  }
}

// On a full disk RocksDB refuses what comes next, looks for room every few seconds, and then goes
// on with new files.
Stored<void> RocksDatabase::write(rocksdb::WriteBatch& batch, bool sync) {
  if (writing_ == Writing::over) return std::unexpected(StorageError{});
  rocksdb::WriteOptions options;
  options.sync = sync;
  const rocksdb::Status status = db_->Write(options, &batch);
  if (status.ok()) {
    Writing full = Writing::waits_for_room;
    writing_.compare_exchange_strong(full, Writing::goes_on);
    return {};
  }
  if (status.IsNoSpace()) {
    Writing going_on = Writing::goes_on;
    const bool first = writing_.compare_exchange_strong(going_on, Writing::waits_for_room);
    return std::unexpected(first ? unwritable("until there is room", status.ToString())
                                 : StorageError{});
  }
  return std::unexpected(failed(status.ToString()));
}

StorageError RocksDatabase::failed(const std::string& why) {
  const bool first = writing_.exchange(Writing::over) != Writing::over;
  return first ? unwritable("until the broker starts again", why) : StorageError{};
}

StorageError RocksDatabase::unwritable(std::string_view until, const std::string& why) const {
  return {sdk::text("the log in ", folder_.string(), " could not be written, and takes no more ",
                    until, ": ", why)};
}

Stored<std::optional<std::string>> RocksDatabase::get(Family of, const std::string& key) {
  std::string value;
  const rocksdb::Status status = db_->Get({}, family(of), key, &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return std::unexpected(unreadable(status.ToString()));
  return value;
}

void RocksDatabase::freed(std::string first, std::string last) {
  const std::lock_guard lock(freed_mutex_);
  std::string& end = freed_[std::move(first)];
  end = std::max(end, last);
}

Stored<void> RocksDatabase::reclaim(std::atomic<bool>& cancelled) {
  if (writing_ != Writing::goes_on) return {};
  decltype(freed_) ranges;
  {
    const std::lock_guard lock(freed_mutex_);
    ranges.swap(freed_);
  }
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.allow_write_stall = false;
  options.canceled = &cancelled;
  for (const auto& [first, last] : ranges) {
    const rocksdb::Slice from(first);
    const rocksdb::Slice to(last);
    for (const Family of : {Family::index, Family::producers}) {
      const auto status = db_->CompactRange(options, family(of), &from, &to);
      if (status.IsIncomplete() || cancelled) return {};
      if (!status.ok()) {
        return std::unexpected(StorageError{sdk::text(
            "room in ", folder_.string(), " could not be given back: ", status.ToString())});
      }
    }
  }
  return {};
}

StorageError RocksDatabase::unreadable(const std::string& why) const {
  return {sdk::text("the log in ", folder_.string(), " could not be read: ", why)};
}

RocksWalk::RocksWalk(RocksDatabase& database, Family family, std::string first, std::string last)
    : first_(std::move(first)), last_(std::move(last)) {
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower_;
  options.iterate_upper_bound = &upper_;
  iterator_.reset(database.db().NewIterator(options, database.family(family)));
}

}  // namespace muster::embedded
