// See rocks_database.hpp. RocksDB's own defaults are made for machines that do nothing else; these
// settings keep a process small that is idle most of the time.
#include "log/rocks_database.hpp"

#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

// RocksDB's own log lies in its folder, and on a full disk writing it may end the process. What is
// wrong comes as the status of a call.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::Options database_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.max_background_jobs = 2;
  options.max_open_files = 64;
  // What is read again at a start after a kill.
  options.max_total_wal_size = 4 * mib;
  // Everything up to the first record that is not whole.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.info_log = std::make_shared<NoLog>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.skip_stats_update_on_db_open = true;
  options.write_buffer_size = mib;
  options.max_write_buffer_number = 2;
  options.compression = rocksdb::kNoCompression;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(mib, 0);
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

// RocksDB may assert when a file is closed or flushed that could not be written: such a database is
// left as it lies until the process ends, as if that had been killed.
void abandon(std::unique_ptr<rocksdb::DB> database) {
  static std::mutex mutex;
  static auto& abandoned = *new std::vector<std::unique_ptr<rocksdb::DB>>;
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
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(database_options(), folder.string(), &db);
  if (!status.ok()) return std::unexpected(open_fault(folder, status));
  database->db_.reset(db);
  return database;
}

RocksDatabase::~RocksDatabase() {
  if (db_ == nullptr) return;
  if (writing_ != Writing::goes_on) {
    abandon(std::move(db_));
    return;
  }
  db_->SyncWAL().PermitUncheckedError();
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
  const bool first = writing_.exchange(Writing::over) != Writing::over;
  return std::unexpected(first ? unwritable("until the broker starts again", status.ToString())
                               : StorageError{});
}

Stored<void> RocksDatabase::put(const std::string& key, const std::string& value, bool sync) {
  rocksdb::WriteBatch batch;
  batch.Put(key, value).PermitUncheckedError();
  return write(batch, sync);
}

StorageError RocksDatabase::unwritable(std::string_view until, const std::string& why) const {
  return {sdk::text("the log in ", folder_.string(), " could not be written, and takes no more ",
                    until, ": ", why)};
}

Stored<std::optional<std::string>> RocksDatabase::get(const std::string& key) {
  std::string value;
  const rocksdb::Status status = db_->Get({}, key, &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return std::unexpected(unreadable(status.ToString()));
  return value;
}

StorageError RocksDatabase::unreadable(const std::string& why) const {
  return {sdk::text("the log in ", folder_.string(), " could not be read: ", why)};
}

RocksWalk::RocksWalk(RocksDatabase& database, std::string first, std::string last)
    : first_(std::move(first)), last_(std::move(last)) {
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower_;
  options.iterate_upper_bound = &upper_;
  iterator_.reset(database.db().NewIterator(options));
}

}  // namespace muster::embedded
