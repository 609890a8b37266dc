// See disk_storage.hpp.
#include "log/disk_storage.hpp"

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>
#include <muster/sdk/text.hpp>

#include "log/disk_log.hpp"

namespace muster::embedded {
namespace {

using protocol::Reader;
using protocol::Writer;

// Topics are 't' and their id, 'x' where their segments are not removed yet; what logs have begins
// with 's' and 'v'.
constexpr std::string_view format_key = "format";
constexpr std::string_view cluster_id_key = "cluster.id";
constexpr std::string_view producer_ids_key = "producer.ids";
constexpr std::int64_t format = 3;
constexpr bool flexible = true;

// In the database's folder: a folder a topic, in it one a partition.
constexpr const char* segments_folder = "segments";

std::string topic_key(const protocol::Uuid& id) { return 't' + keys_of(id).first; }
std::string removal_key(const protocol::Uuid& id) { return 'x' + keys_of(id).first; }

std::string to_value(const StoredTopic& topic) {
  protocol::Buffer buffer;
  {
    Writer out(buffer);
    out.write_string(topic.name, flexible);
    out.write_int32(topic.partition_count);
    out.write_count(topic.configs.size(), flexible);
    for (const auto& [name, value] : topic.configs) {
      out.write_string(name, flexible);
      out.write_bytes(protocol::as_bytes(value), flexible);
    }
  }
  return std::string(protocol::as_text(buffer));
}

std::optional<StoredTopic> topic_of(std::string_view key, std::string_view value) {
  Reader id(protocol::as_bytes(key.substr(1)));
  Reader in(protocol::as_bytes(value));
  StoredTopic topic;
  topic.id = id.read_uuid();
  topic.name = in.read_string(flexible);
  topic.partition_count = in.read_int32();
  for (auto left = in.read_count(flexible, 2); left > 0 && in.ok(); --left) {
    std::string name(in.read_string(flexible));
    topic.configs.emplace(std::move(name), protocol::as_text(in.read_bytes(flexible)));
  }
  if (!id.ok() || !in.ok()) return std::nullopt;
  return topic;
}

}  // namespace

Stored<std::shared_ptr<DiskStorage>> DiskStorage::open(const std::filesystem::path& folder,
                                                       const protocol::Uuid& new_cluster_id,
                                                       std::string boot_id) {
  auto database = RocksDatabase::open(folder);
  if (!database) return std::unexpected(std::move(database.error()));
  std::shared_ptr<DiskStorage> storage(new DiskStorage(*std::move(database), std::move(boot_id)));
  if (auto begun = storage->begin(new_cluster_id); !begun) {
    return std::unexpected(std::move(begun.error()));
  }
  if (auto done = storage->finish_removals(); !done)
    return std::unexpected(std::move(done.error()));
  return storage;
}

// Empty where the system does not tell: then every start may be one after a loss of power.
std::string DiskStorage::this_boot() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

std::filesystem::path DiskStorage::segments_of(const protocol::Uuid& topic) const {
  return database_->folder() / segments_folder / topic.to_string();
}

Stored<void> DiskStorage::finish_removals() {
  std::vector<protocol::Uuid> removed;
  const RocksWalk walk(*database_, "x", "y");
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) {
    removed.push_back(protocol::Reader(protocol::as_bytes(walk.key().substr(1))).read_uuid());
  }
  if (!walk->status().ok()) {
    return std::unexpected(database_->unreadable(walk->status().ToString()));
  }
  return remove_segments(removed);
}

Stored<void> DiskStorage::remove_segments(const std::vector<protocol::Uuid>& topics) {
  rocksdb::WriteBatch batch;
  for (const protocol::Uuid& id : topics) {
    files_->remove_folder(segments_of(id));
    batch.Delete(removal_key(id)).PermitUncheckedError();
  }
  return topics.empty() ? Stored<void>{} : database_->write(batch, false);
}

Stored<void> DiskStorage::begin(const protocol::Uuid& new_cluster_id) {
  const auto stored_format = database_->get(std::string(format_key));
  if (!stored_format) return std::unexpected(stored_format.error());
  if (*stored_format && number_value(**stored_format) != format) {
    return std::unexpected(StorageError{
        sdk::text("the log in ", database_->folder().string(), " is of another release's format")});
  }
  auto stored_id = database_->get(std::string(cluster_id_key));
  if (!stored_id) return std::unexpected(std::move(stored_id.error()));
  if (*stored_format && *stored_id) {
    cluster_id_ = **std::move(stored_id);
    return {};
  }
  cluster_id_ = new_cluster_id.to_string();
  rocksdb::WriteBatch batch;
  batch.Put(std::string(format_key), embedded::to_value(format)).PermitUncheckedError();
  batch.Put(std::string(cluster_id_key), cluster_id_).PermitUncheckedError();
  return database_->write(batch, true);
}

Stored<OpenedLog> DiskStorage::open(const protocol::Uuid& topic, std::int32_t partition,
                                    std::int64_t producers_since_ms) {
  return DiskLog::open({database_, files_, segments_of(topic) / std::to_string(partition),
                        PartitionKeys(topic, partition), boot_id_},
                       producers_since_ms);
}

StoragePlace DiskStorage::place() const {
  std::error_code error;
  StoragePlace place{.folder = std::filesystem::absolute(database_->folder(), error).string()};
  const auto space = std::filesystem::space(database_->folder(), error);
  if (error) return place;
  place.total_bytes = static_cast<std::int64_t>(space.capacity);
  place.usable_bytes = static_cast<std::int64_t>(space.available);
  return place;
}

Stored<std::vector<StoredTopic>> DiskStorage::topics() const {
  std::vector<StoredTopic> topics;
  const RocksWalk walk(*database_, "t", "u");
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) {
    auto topic = topic_of(walk.key(), walk.value());
    if (!topic) return std::unexpected(database_->unreadable("no topic"));
    topics.push_back(*std::move(topic));
  }
  if (!walk->status().ok()) {
    return std::unexpected(database_->unreadable(walk->status().ToString()));
  }
  return topics;
}

Stored<void> DiskStorage::apply(const StoredChange& change) {
  rocksdb::WriteBatch batch;
  for (const protocol::Uuid& id : change.removed) {
    const KeyRange range = keys_of(id);
    batch.Delete(topic_key(id)).PermitUncheckedError();
    batch.Put(removal_key(id), "").PermitUncheckedError();
    for (const char kind : {'s', 'v'}) {
      batch.DeleteRange(kind + range.first, kind + range.last).PermitUncheckedError();
    }
  }
  for (const StoredTopic& topic : change.put) {
    batch.Put(topic_key(topic.id), to_value(topic)).PermitUncheckedError();
  }
  if (auto done = database_->write(batch, true); !done) return done;
  return remove_segments(change.removed);
}

Stored<std::int64_t> DiskStorage::reserve_producer_ids(std::int64_t count) {
  const std::lock_guard lock(producer_ids_mutex_);
  const auto stored = database_->get(std::string(producer_ids_key));
  if (!stored) return std::unexpected(stored.error());
  const std::int64_t first = *stored ? number_value(**stored).value_or(0) : 0;
  auto done =
      database_->put(std::string(producer_ids_key), embedded::to_value(first + count), true);
  if (!done) return std::unexpected(std::move(done.error()));
  return first;
}

}  // namespace muster::embedded
