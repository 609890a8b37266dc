// A store through its C table: linked in or loaded from its file, in a folder of its own. Answers
// may come from any thread; all else one thread.
#pragma once

#include <muster/abi/plugin.h>
#include <muster/abi/store.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <muster/testing/fake_metadata.hpp>
#include <muster/testing/rig_host.hpp>

#include "support/scratch_folder.hpp"

namespace muster::stores {

using ::muster::testing::ScratchFolder;

struct StoreKind {
  std::string name;  // "memory", "rocksdb"
  bool from_file = false;
};

const muster_export& export_of(const StoreKind& kind);

struct Loaded {
  std::uint64_t sequence;
  std::string key, value;
  friend bool operator==(const Loaded&, const Loaded&) = default;
};
void PrintTo(const Loaded& record, std::ostream* out);

using NewRecord = std::pair<std::string, std::optional<std::string>>;
using NewRecords = std::vector<NewRecord>;

// How one commit went; said on any thread.
class Answer {
 public:
  static void done(void* owner, muster_code code);
  muster_code wait();
  std::size_t times();

 private:
  std::mutex mutex_;
  std::condition_variable said_;
  std::vector<muster_code> codes_;
};

class Store {
 public:
  struct Settings {
    std::filesystem::path folder;
    std::string sync = "always";  // of stores that have store.sync
  };

  Store(const StoreKind& kind, const Settings& settings);
  ~Store() { close(); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  bool created() const { return self_ != nullptr; }
  // Throws unless every commit was answered once.
  void close();
  muster_code open(const std::string& space, std::uint32_t shards);
  // What `gained` said last.
  std::uint64_t epoch(std::uint32_t shard = 0) { return epochs.at({"groups", shard}); }
  muster_code load(std::uint64_t epoch, std::vector<Loaded>& out, std::uint32_t shard = 0);
  std::vector<Loaded> loaded(std::uint64_t epoch, std::uint32_t shard = 0);
  muster_code commit(std::uint64_t epoch, std::uint64_t sequence, const NewRecords& records,
                     std::uint32_t shard = 0) {
    return begin_commit(epoch, sequence, records, shard).wait();
  }
  Answer& begin_commit(std::uint64_t epoch, std::uint64_t sequence, const NewRecords& records,
                       std::uint32_t shard = 0);
  std::string owner(std::uint32_t shard);

  std::uint64_t max_batch_bytes() const { return table_.max_batch_bytes; }
  const std::vector<std::pair<std::int32_t, std::string>>& log() const { return host_.log_lines; }

  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> epochs;
  std::string complaint;

 private:
  static void gained(void* self, muster_str space, std::uint32_t shard, std::uint64_t epoch);
  static void lost(void*, muster_str, std::uint32_t);
  static void complain(void* self, muster_str message);

  testing::FakeMetadata metadata_;
  testing::RigHost host_{&metadata_};
  std::unique_ptr<testing::RigOptions> options_;
  const muster_store_v1& table_;
  void* self_ = nullptr;
  std::mutex answers_mutex_;
  std::deque<Answer> answers_;
  const muster_error_sink error_{sizeof error_, this, &complain};
  muster_store_events events_{sizeof events_, this, &gained, &lost};
};

}  // namespace muster::stores
