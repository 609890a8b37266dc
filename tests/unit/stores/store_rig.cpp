#include "store_rig.hpp"

#include <dlfcn.h>

#include <chrono>
#include <ostream>
#include <stdexcept>

#include "memory_store.hpp"
#include "rocks_store.hpp"

namespace muster::stores {
namespace {

// Longer than any disk takes; who waits that long was forgotten.
constexpr std::chrono::seconds patience{60};

muster_bytes to_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
std::string to_text(muster_bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}
muster_str to_str(const std::string& text) { return {text.data(), text.size()}; }

const muster_export& export_in(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry =
      reinterpret_cast<muster_plugin_entry_fn>(dlsym(library, MUSTER_PLUGIN_ENTRY_NAME));
  return entry(MUSTER_ABI_MAJOR)->exports[0];
}

const muster_store_v1& table_of(const StoreKind& kind) {
  if (kind.from_file) return *static_cast<const muster_store_v1*>(export_of(kind).table);
  return kind.name == "memory" ? sdk::store_table<memory_store::MemoryStore>
                               : sdk::store_table<rocks_store::RocksStore>;
}

}  // namespace

const muster_export& export_of(const StoreKind& kind) {
  return export_in(kind.name == "memory" ? MUSTER_MEMORY_FILE : MUSTER_ROCKSDB_FILE);
}

void PrintTo(const Loaded& record, std::ostream* out) {
  *out << record.sequence << ' ' << record.key << '=' << record.value.substr(0, 20);
}

void Answer::done(void* owner, muster_code code) {
  auto& self = *static_cast<Answer*>(owner);
  const std::lock_guard lock(self.mutex_);
  self.codes_.push_back(code);
  self.said_.notify_all();
}

muster_code Answer::wait() {
  std::unique_lock lock(mutex_);
  if (!said_.wait_for(lock, patience, [this] { return !codes_.empty(); })) {
    throw std::runtime_error("a commit is not answered");
  }
  return codes_.front();
}

std::size_t Answer::times() {
  const std::lock_guard lock(mutex_);
  return codes_.size();
}

Store::Store(const StoreKind& kind, const Settings& settings) : table_(table_of(kind)) {
  host_.data_folder = settings.folder.string();
  options_ = std::make_unique<testing::RigOptions>(export_of(kind));
  if (kind.name == "rocksdb") options_->set("store.sync", settings.sync);
  self_ = table_.create(host_.table(), options_->table(), &error_);
}

void Store::close() {
  if (self_ == nullptr) return;
  table_.destroy(std::exchange(self_, nullptr));
  for (Answer& answer : answers_) {
    if (answer.times() != 1) throw std::runtime_error("a commit was not answered once");
  }
}

void Store::complain(void* self, muster_str message) {
  static_cast<Store*>(self)->complaint = std::string(message.data, message.size);
}

muster_code Store::open(const std::string& space, std::uint32_t shards) {
  return table_.open(self_, to_str(space), shards, &events_, &error_);
}

muster_code Store::load(std::uint64_t epoch, std::vector<Loaded>& out, std::uint32_t shard) {
  const muster_record_sink sink{
      sizeof sink, &out,
      [](void* self, std::uint64_t sequence, muster_bytes key, muster_bytes value) {
        static_cast<std::vector<Loaded>*>(self)->push_back(
            {sequence, to_text(key), to_text(value)});
      }};
  return table_.load(self_, to_str("groups"), shard, epoch, &sink, &error_);
}

std::vector<Loaded> Store::loaded(std::uint64_t epoch, std::uint32_t shard) {
  std::vector<Loaded> out;
  if (load(epoch, out, shard) != MUSTER_OK) throw std::runtime_error("load failed: " + complaint);
  return out;
}

Answer& Store::begin_commit(std::uint64_t epoch, std::uint64_t sequence, const NewRecords& records,
                            std::uint32_t shard) {
  std::vector<muster_record> raw;
  for (const auto& [key, value] : records) {
    raw.push_back({to_bytes(key), value ? to_bytes(*value) : muster_bytes{nullptr, 0}});
  }
  Answer* answer = nullptr;
  {
    const std::lock_guard lock(answers_mutex_);
    answer = &answers_.emplace_back();
  }
  table_.commit(self_, to_str("groups"), shard, epoch, sequence, raw.data(),
                static_cast<std::uint32_t>(raw.size()), &Answer::done, answer);
  return *answer;
}

std::string Store::owner(std::uint32_t shard) {
  std::string out = "?";
  const muster_bytes_sink sink{sizeof sink, &out, [](void* self, muster_bytes bytes) {
                                 *static_cast<std::string*>(self) = to_text(bytes);
                               }};
  if (table_.owner(self_, to_str("groups"), shard, &sink) != MUSTER_OK) return "fault";
  return out;
}

void Store::gained(void* self, muster_str space, std::uint32_t shard, std::uint64_t epoch) {
  static_cast<Store*>(self)->epochs[{{space.data, space.size}, shard}] = epoch;
}

void Store::lost(void*, muster_str, std::uint32_t) { throw std::logic_error("nothing is lost"); }

}  // namespace muster::stores
