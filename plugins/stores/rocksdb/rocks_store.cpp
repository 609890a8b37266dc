// Opening, loading and spaces; see rocks_store.hpp.
#include "rocks_store.hpp"

#include <rocksdb/iterator.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include <muster/sdk/text.hpp>

#include "database.hpp"
#include "faults.hpp"

namespace muster::rocks_store {
namespace {

rocksdb::WriteOptions durable() {
  rocksdb::WriteOptions options;
  options.sync = true;
  return options;
}

// One record of a load: where its key and value lie in the text of all of them.
struct Loaded {
  std::uint64_t sequence;
  std::size_t key, value, end;
};

}  // namespace

RocksStore::RocksStore(const sdk::Host& host, const sdk::Options& values)
    : host_(host), folder_(host.data_folder()), database_(open_database(folder_, host)) {
  check_format();
  const bool sync = sdk::StringOption(values, "store.sync")() == "always";
  commits_ =
      std::make_unique<CommitQueue>(*database_, CommitSettings{sync, max_batch_bytes},
                                    [this](const rocksdb::Status& status) { report(status); });
}

void RocksStore::check_format() {
  const rocksdb::Slice key(format_key.data(), format_key.size());
  std::string found;
  const rocksdb::Status status = database_->Get({}, key, &found);
  if (status.IsNotFound()) {
    require(database_->Put(durable(), key, format_value()), folder_);
    return;
  }
  require(status, folder_);
  const auto version = read_format(found);
  if (version == format_version) return;
  if (!version) {
    throw sdk::Failure(MUSTER_CORRUPT, sdk::text("the format of ", folder_, " is damaged"));
  }
  throw sdk::Failure(MUSTER_INVALID_ARGUMENT,
                     sdk::text(folder_, " has format ", *version, "; this store knows format ",
                               format_version, " only"));
}

std::optional<SpaceInfo> RocksStore::read_info(std::string_view space) const {
  std::string found;
  const rocksdb::Status status = database_->Get({}, space_key(space), &found);
  if (status.IsNotFound()) return std::nullopt;
  require(status, folder_);
  const auto info = read_space(found);
  if (!info) {
    throw sdk::Failure(MUSTER_CORRUPT,
                       sdk::text("what ", folder_, " says about space ", space, " is damaged"));
  }
  return info;
}

void RocksStore::open(const sdk::OpenSpace& request) {
  if (request.shards == 0) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "a space has no shards");
  const SpaceInfo known = read_info(request.space).value_or(SpaceInfo{request.shards, 0});
  if (known.shards != request.shards) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT,
                       sdk::text("space ", request.space, " was made with ", known.shards,
                                 " shards, not with ", request.shards));
  }
  const std::uint64_t epoch = known.epoch + 1;
  require(database_->Put(durable(), space_key(request.space), space_value({known.shards, epoch})),
          folder_);
  Space& opened = space(request.space, request.shards);
  for (std::uint32_t i = 0; i < request.shards; ++i) {
    commits_->start_life(opened[i], epoch);
    request.events.gained({{request.space, i}, epoch});
  }
}

RocksStore::Space& RocksStore::space(std::string_view name, std::uint32_t shards) {
  const std::unique_lock lock(mutex_);
  const auto known = spaces_.find(name);
  if (known != spaces_.end()) return *known->second;
  auto made = std::make_unique<Space>(shards);
  for (std::uint32_t i = 0; i < shards; ++i) (*made)[i].prefix = shard_prefix(name, i);
  return *spaces_.emplace(std::string(name), std::move(made)).first->second;
}

// Sorted here and not by key, because a key that is written again moves behind all the others.
void RocksStore::load(const sdk::ShardLife& life, sdk::RecordSink& out) {
  CommitState& shard = this->shard(life.id);
  if (const muster_code code = commits_->begin_load(shard, life.epoch); code != MUSTER_OK) {
    throw sdk::Failure(
        code, code == MUSTER_FENCED ? "the shard has a newer owner" : "nobody gained this epoch");
  }
  // After a failed write the database refuses everything until it has found room by itself; told to
  // go on before that, it may end the process.
  rocksdb::WriteBatch nothing;
  require(database_->Write({}, &nothing), folder_);

  const std::string end = shard_end(life.id.space, life.id.shard);
  const rocksdb::Slice upper(end);
  rocksdb::ReadOptions reading;
  reading.iterate_upper_bound = &upper;
  reading.fill_cache = false;
  reading.total_order_seek = true;  // the memtable has no order of its own
  std::string text;
  std::vector<Loaded> records;
  const std::unique_ptr<rocksdb::Iterator> at(database_->NewIterator(reading));
  for (at->Seek(shard.prefix); at->Valid(); at->Next()) {
    const std::string_view key = at->key().ToStringView().substr(shard.prefix.size());
    const std::string_view value = at->value().ToStringView();
    const auto sequence = read_sequence(value);
    if (!sequence) {
      throw sdk::Failure(MUSTER_CORRUPT, sdk::text("a record in ", folder_, " is damaged"));
    }
    const std::size_t begin = text.size();
    text.append(key).append(value.substr(sequence_size));
    records.push_back({*sequence, begin, begin + key.size(), text.size()});
  }
  require(at->status(), folder_);

  std::ranges::sort(records, {}, &Loaded::sequence);
  const std::string_view all = text;
  for (const Loaded& record : records) {
    out.record(record.sequence, sdk::as_bytes(all.substr(record.key, record.value - record.key)),
               sdk::as_bytes(all.substr(record.value, record.end - record.value)));
  }
  // What was deleted last may have had a later one, but nobody can see that any more.
  commits_->end_load(shard, life.epoch, records.empty() ? 0 : records.back().sequence + 1);
}

void RocksStore::commit(const sdk::Batch& batch, sdk::CommitDone done) {
  commits_->add(shard(batch.life.id), batch, std::move(done));
}

void RocksStore::owner(const sdk::ShardId& id, sdk::BytesSink&) const { shard(id); }

CommitState& RocksStore::shard(const sdk::ShardId& id) const {
  const std::shared_lock lock(mutex_);
  const auto space = spaces_.find(id.space);
  if (space == spaces_.end() || id.shard >= space->second->size()) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT,
                       sdk::text("there is no shard ", id.shard, " in space ", id.space));
  }
  return (*space->second)[id.shard];
}

void RocksStore::report(const rocksdb::Status& status) const {
  host_.error("cannot commit: ", describe(status, folder_));
}

}  // namespace muster::rocks_store
