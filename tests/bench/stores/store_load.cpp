// How long a durable store takes to load, and what it costs in memory:
//   store_load fill FOLDER RECORDS [SHARDS]   as many groups' records, as consumer groups have them
//   store_load load FOLDER [THREADS]          loads every shard; one JSON line
// SHARDS is 50 and THREADS 2 where they are not said, as in a host. To measure a cold start, drop
// the page cache in between.
#include <muster/abi/store.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <muster/testing/rig_host.hpp>

#include "rocks_store.hpp"

namespace muster::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t key_bytes = 60;
constexpr std::size_t value_bytes = 100;
constexpr std::size_t records_a_batch = 1000;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double resident_mb() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmRSS:") {
  }
  double kb = 0;
  status >> kb;
  return kb / 1024;
}

muster_str to_str(const std::string& text) { return {text.data(), text.size()}; }
muster_bytes to_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

muster_export declared() {
  muster_export exported{};
  exported.options = rocks_store::RocksStore::options;
  exported.option_count = std::size(rocks_store::RocksStore::options);
  return exported;
}

class Store {
 public:
  explicit Store(const std::string& folder) {
    host_.data_folder = folder;
    options_.set("store.sync", "os");
    self_ = table_.create(host_.table(), options_.table(), &error_);
    if (self_ == nullptr) std::exit(1);
  }
  ~Store() { table_.destroy(self_); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void open(std::uint32_t shards) {
    if (table_.open(self_, to_str(space_), shards, &events_, &error_) != MUSTER_OK) std::exit(1);
  }
  // Waits until it is durable.
  void commit(std::uint32_t shard, std::uint64_t sequence,
              const std::vector<muster_record>& batch) {
    std::atomic<int> code{-1};
    table_.commit(
        self_, to_str(space_), shard, epoch_, sequence, batch.data(),
        static_cast<std::uint32_t>(batch.size()),
        [](void* owner, muster_code said) {
          auto& waits = *static_cast<std::atomic<int>*>(owner);
          waits = said;
          waits.notify_one();
        },
        &code);
    code.wait(-1);
    if (code != MUSTER_OK) std::exit(1);
  }
  std::uint64_t load(std::uint32_t shard) {
    std::uint64_t count = 0;
    const muster_record_sink sink{sizeof sink, &count,
                                  [](void* self, std::uint64_t, muster_bytes, muster_bytes) {
                                    ++*static_cast<std::uint64_t*>(self);
                                  }};
    if (table_.load(self_, to_str(space_), shard, epoch_, &sink, &error_) != MUSTER_OK) {
      std::exit(1);
    }
    return count;
  }

 private:
  testing::FakeMetadata metadata_;
  testing::RigHost host_{&metadata_};
  const muster_export declared_ = declared();
  testing::RigOptions options_{declared_};
  const muster_store_v1& table_ = sdk::store_table<rocks_store::RocksStore>;
  const std::string space_ = "groups";
  std::uint64_t epoch_ = 0;
  void* self_ = nullptr;
  muster_error_sink error_{sizeof error_, nullptr, [](void*, muster_str message) {
                             std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size),
                                          message.data);
                           }};
  muster_store_events events_{sizeof events_, this,
                              [](void* self, muster_str, std::uint32_t, std::uint64_t epoch) {
                                static_cast<Store*>(self)->epoch_ = epoch;
                              },
                              [](void*, muster_str, std::uint32_t) {}};
};

// A shard's keys are spread, as those of group ids are; values differ, as members do.
std::string text_of(std::uint64_t number, std::size_t size) {
  std::string text;
  for (std::uint64_t state = number; text.size() < size;) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += std::to_string(state >> 40);
  }
  text.resize(size);
  return text;
}

int fill(const std::string& folder, std::uint64_t records, std::uint32_t shards) {
  Store store(folder);
  store.open(shards);
  const auto start = Clock::now();
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const std::uint64_t of_shard = records / shards;
    for (std::uint64_t from = 0; from < of_shard; from += records_a_batch) {
      std::vector<std::string> texts;
      for (std::uint64_t i = from; i < std::min(of_shard, from + records_a_batch); ++i) {
        texts.push_back(text_of(i * shards + shard, key_bytes));
        texts.push_back(text_of(~(i * shards + shard), value_bytes));
      }
      std::vector<muster_record> batch;
      for (std::size_t i = 0; i < texts.size(); i += 2) {
        batch.push_back({to_bytes(texts[i]), to_bytes(texts[i + 1])});
      }
      store.commit(shard, from, batch);
    }
  }
  std::ofstream(folder + ".shards") << shards;
  std::printf("{\"filled_ms\":%.0f}\n", ms_since(start));
  return 0;
}

int load(const std::string& folder, unsigned threads) {
  std::uint32_t shards = 0;
  std::ifstream(folder + ".shards") >> shards;
  const double before = resident_mb();
  const auto start = Clock::now();
  Store store(folder);
  store.open(shards);
  const double open_ms = ms_since(start);
  std::atomic<std::uint32_t> next{0};
  std::atomic<std::uint64_t> records{0};
  std::mutex mutex;
  double first_ms = 0;
  double most_mb = 0;
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.emplace_back([&] {
        for (std::uint32_t shard = next++; shard < shards; shard = next++) {
          records += store.load(shard);
          const std::lock_guard lock(mutex);
          if (first_ms == 0) first_ms = ms_since(start);
          most_mb = std::max(most_mb, resident_mb());
        }
      });
    }
  }
  std::printf(
      "{\"records\":%llu,\"open_ms\":%.0f,\"first_shard_ms\":%.0f,\"all_ms\":%.0f,"
      "\"resident_before_mb\":%.1f,\"resident_most_mb\":%.1f,\"resident_after_mb\":%.1f}\n",
      static_cast<unsigned long long>(records.load()), open_ms, first_ms, ms_since(start), before,
      most_mb, resident_mb());
  return 0;
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  const std::string command = argc > 2 ? argv[1] : "";
  const auto number = [&](int at, unsigned long long otherwise) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
  };
  if (command == "fill" && argc > 3) {
    return muster::bench::fill(argv[2], number(3, 0), static_cast<std::uint32_t>(number(4, 50)));
  }
  if (command == "load") return muster::bench::load(argv[2], static_cast<unsigned>(number(3, 2)));
  std::fprintf(stderr,
               "store_load fill FOLDER RECORDS [SHARDS] | store_load load FOLDER [THREADS]\n");
  return 2;
}
