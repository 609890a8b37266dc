#include "database.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/memtablerep.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include "faults.hpp"
#include "wal_damage.hpp"

namespace muster::rocks_store {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

// RocksDB's own log lies in its folder, and on a full disk writing it may end the process. What is
// wrong comes as the status of a call.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

// Offsets and members are written again and again under their keys, so what was written last is
// found by a hash and written over in place: most of a commit was comparing keys otherwise. Writers
// must go one by one, and the database sees to that where they may not be concurrent; and what is
// read must not be written meanwhile, which CommitQueue sees to. Order is made when the memtable is
// flushed or read.
void keep_newest_in_place(rocksdb::Options& options) {
  constexpr std::size_t buckets = 16384;
  constexpr int never_log = 0;
  options.inplace_update_support = true;
  options.allow_concurrent_memtable_write = false;
  options.prefix_extractor.reset(rocksdb::NewNoopTransform());  // all of a key
  options.memtable_factory.reset(rocksdb::NewHashLinkListRepFactory(buckets, 0, never_log, false));
}

// Small on purpose: what is hot lives in the protocols' memory, and with RocksDB's own defaults the
// process would grow by some 60 MB.
rocksdb::Options database_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kLZ4Compression;
  options.write_buffer_size = 4 * megabyte;
  options.max_write_buffer_number = 2;
  options.max_open_files = 256;
  options.info_log = std::make_shared<NoLog>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  // Any damage of a log that is needed is an error, logs that are gone or too short are as well.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kAbsoluteConsistency;
  options.track_and_verify_wals_in_manifest = true;
  keep_newest_in_place(options);
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(4 * megabyte);
  table.cache_index_and_filter_blocks = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

}  // namespace

std::unique_ptr<rocksdb::DB> open_database(const std::string& folder, const sdk::Host& host) {
  rocksdb::Options options = database_options();
  const WalDamage damage = find_wal_damage(folder);
  if (damage.lost) {
    require(rocksdb::Status::Corruption("writes follow damage in " + *damage.lost), folder);
  }
  if (damage.last_write_is_torn) {
    host.warn("the last write to ", folder, " was torn; it was not acknowledged and is left out");
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  }
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, folder, &opened);
  require(status, folder);
  return std::unique_ptr<rocksdb::DB>(opened);
}

}  // namespace muster::rocks_store
