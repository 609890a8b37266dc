// The memory store through its C table, linked in and loaded from its file.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <muster/abi/plugin.h>
#include <muster/abi/store.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "memory_store.hpp"

namespace muster::memory_store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

muster_bytes to_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
std::string to_text(muster_bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}
muster_str to_str(const std::string& text) { return {text.data(), text.size()}; }

struct Loaded {
  std::uint64_t sequence;
  std::string key, value;
  friend bool operator==(const Loaded&, const Loaded&) = default;
};

using NewRecord = std::pair<std::string, std::optional<std::string>>;

class Store {
 public:
  explicit Store(const muster_store_v1& table) : table_(table) {
    const muster_host host{sizeof host, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, "test", nullptr,
                           [](void*, muster_str) -> const void* { return nullptr; }};
    host_ = host;
    self_ = table_.create(&host_, nullptr, nullptr);
  }
  ~Store() { table_.destroy(self_); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  muster_code open(const std::string& space, std::uint32_t shards) {
    const muster_error_sink error{sizeof error, this, [](void* self, muster_str message) {
                                    static_cast<Store*>(self)->complaint =
                                        std::string(message.data, message.size);
                                  }};
    return table_.open(self_, to_str(space), shards, &events_, &error);
  }
  muster_code load(std::uint64_t epoch, std::vector<Loaded>& out, std::uint32_t shard = 0) {
    const muster_record_sink sink{
        sizeof sink, &out,
        [](void* self, std::uint64_t sequence, muster_bytes key, muster_bytes value) {
          static_cast<std::vector<Loaded>*>(self)->push_back(
              {sequence, to_text(key), to_text(value)});
        }};
    return table_.load(self_, to_str(space_), shard, epoch, &sink, nullptr);
  }
  std::vector<Loaded> loaded(std::uint64_t epoch, std::uint32_t shard = 0) {
    std::vector<Loaded> out;
    if (load(epoch, out, shard) != MUSTER_OK) throw std::runtime_error("load failed");
    return out;
  }
  // What done said, which it must have said when commit returns.
  muster_code commit(std::uint64_t epoch, std::uint64_t sequence,
                     const std::vector<NewRecord>& records, std::uint32_t shard = 0) {
    std::vector<muster_record> raw;
    for (const auto& [key, value] : records) {
      raw.push_back({to_bytes(key), value ? to_bytes(*value) : muster_bytes{nullptr, 0}});
    }
    std::vector<muster_code> said;
    table_.commit(
        self_, to_str(space_), shard, epoch, sequence, raw.data(),
        static_cast<std::uint32_t>(raw.size()),
        [](void* owner, muster_code code) {
          static_cast<std::vector<muster_code>*>(owner)->push_back(code);
        },
        &said);
    if (said.size() != 1) throw std::runtime_error("done was not called once");
    return said[0];
  }
  std::string owner(std::uint32_t shard) {
    std::string out = "?";
    const muster_bytes_sink sink{sizeof sink, &out, [](void* self, muster_bytes bytes) {
                                   *static_cast<std::string*>(self) = to_text(bytes);
                                 }};
    if (table_.owner(self_, to_str(space_), shard, &sink) != MUSTER_OK) return "fault";
    return out;
  }

  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> epochs;
  std::string complaint;

 private:
  static void gained(void* self, muster_str space, std::uint32_t shard, std::uint64_t epoch) {
    static_cast<Store*>(self)->epochs[{{space.data, space.size}, shard}] = epoch;
  }
  static void lost(void*, muster_str, std::uint32_t) { throw std::logic_error("nothing is lost"); }

  const muster_store_v1& table_;
  muster_host host_{};
  void* self_ = nullptr;
  const std::string space_ = "groups";
  muster_store_events events_{sizeof events_, this, &gained, &lost};
};

const muster_store_v1& table_of_the_file() {
  void* library = dlopen(MUSTER_MEMORY_FILE, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry =
      reinterpret_cast<muster_plugin_entry_fn>(dlsym(library, MUSTER_PLUGIN_ENTRY_NAME));
  return *static_cast<const muster_store_v1*>(entry(MUSTER_ABI_MAJOR)->exports[0].table);
}

class MemoryStoreTest : public testing::TestWithParam<bool> {
 protected:
  Store store{GetParam() ? table_of_the_file() : sdk::store_table<MemoryStore>};
};

INSTANTIATE_TEST_SUITE_P(Linked, MemoryStoreTest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Loaded, MemoryStoreTest, testing::Values(true));

TEST_P(MemoryStoreTest, OpeningGainsEveryShardAtAHigherEpochEachTime) {
  EXPECT_EQ(store.open("groups", 3), MUSTER_OK);
  ASSERT_EQ(store.epochs.size(), 3U);
  const auto first = store.epochs;
  EXPECT_EQ(store.open("groups", 3), MUSTER_OK);
  for (const auto& [shard, epoch] : first) EXPECT_GT(store.epochs[shard], epoch);
}

TEST_P(MemoryStoreTest, AnotherNumberOfShardsIsRefusedAndNamed) {
  store.open("groups", 3);
  EXPECT_EQ(store.open("groups", 4), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(store.complaint, "space groups was made with 3 shards, not with 4");
  EXPECT_EQ(store.open("transactions", 4), MUSTER_OK);
}

TEST_P(MemoryStoreTest, LoadGivesLiveKeysInTheOrderOfTheirLastCommit) {
  store.open("groups", 1);
  EXPECT_THAT(store.loaded(1), IsEmpty());
  EXPECT_EQ(store.commit(1, 10, {{"a", "1"}, {"b", "2"}, {"c", "3"}}), MUSTER_OK);
  EXPECT_EQ(store.commit(1, 13, {{"a", "4"}, {"b", std::nullopt}}), MUSTER_OK);
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{12, "c", "3"}, Loaded{13, "a", "4"}));
}

TEST_P(MemoryStoreTest, EmptyValuesAreNoTombstones) {
  store.open("groups", 1);
  store.commit(1, 1, {{"a", ""}});
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{1, "a", ""}));
}

TEST_P(MemoryStoreTest, ShardsAndSpacesAreApart) {
  store.open("groups", 2);
  store.open("other", 1);
  store.commit(1, 1, {{"a", "1"}}, 0);
  store.commit(1, 1, {{"a", "2"}}, 1);
  EXPECT_THAT(store.loaded(1, 0), ElementsAre(Loaded{1, "a", "1"}));
  EXPECT_THAT(store.loaded(1, 1), ElementsAre(Loaded{1, "a", "2"}));
}

TEST_P(MemoryStoreTest, OlderEpochsAreFencedForEver) {
  store.open("groups", 1);
  store.commit(1, 1, {{"a", "1"}});
  store.open("groups", 1);
  EXPECT_EQ(store.commit(1, 2, {{"a", "2"}}), MUSTER_FENCED);
  std::vector<Loaded> out;
  EXPECT_EQ(store.load(1, out), MUSTER_FENCED);
  // The new owner is not disturbed by the old one's attempts.
  EXPECT_THAT(store.loaded(2), ElementsAre(Loaded{1, "a", "1"}));
  EXPECT_EQ(store.commit(2, 2, {{"a", "2"}}), MUSTER_OK);
  EXPECT_EQ(store.commit(1, 3, {{"a", "3"}}), MUSTER_FENCED);
}

TEST_P(MemoryStoreTest, AfterAFailureNothingIsTakenUntilTheNextLoad) {
  store.open("groups", 2);
  store.commit(1, 1, {{"a", "1"}});
  const std::string large(MemoryStore::max_batch_bytes, 'x');
  EXPECT_EQ(store.commit(1, 2, {{"b", "2"}, {"c", large}}), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(store.commit(1, 2, {{"d", "3"}}), MUSTER_UNAVAILABLE);
  EXPECT_EQ(store.commit(1, 1, {{"d", "3"}}, 1), MUSTER_OK);
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{1, "a", "1"}));
  EXPECT_EQ(store.commit(1, 2, {{"d", "3"}}), MUSTER_OK);
}

TEST_P(MemoryStoreTest, ABatchOfTheLargestSizeIsTaken) {
  store.open("groups", 1);
  const std::string large(MemoryStore::max_batch_bytes - 1, 'x');
  EXPECT_EQ(store.commit(1, 1, {{"a", large}}), MUSTER_OK);
}

TEST_P(MemoryStoreTest, SequencesMustRiseButMayStartAgainBehindWhatIsLive) {
  store.open("groups", 1);
  store.commit(1, 5, {{"a", "1"}, {"b", "2"}});
  store.commit(1, 7, {{"b", std::nullopt}});
  EXPECT_EQ(store.commit(1, 6, {{"c", "3"}}), MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(store.loaded(1), ElementsAre(Loaded{5, "a", "1"}));
  EXPECT_EQ(store.commit(1, 6, {{"c", "3"}}), MUSTER_OK);
}

TEST_P(MemoryStoreTest, UnknownShardsAndSpacesAreFaults) {
  EXPECT_EQ(store.commit(1, 1, {}), MUSTER_INTERNAL);
  store.open("groups", 1);
  EXPECT_EQ(store.commit(1, 1, {}, 1), MUSTER_INTERNAL);
  EXPECT_EQ(store.owner(1), "fault");
  EXPECT_EQ(store.owner(0), "?");
  std::vector<Loaded> out;
  EXPECT_EQ(store.load(9, out), MUSTER_INVALID_ARGUMENT);
}

TEST_P(MemoryStoreTest, ShardsCommitBesideEachOther) {
  constexpr std::uint32_t shards = 4;
  store.open("groups", shards);
  std::vector<std::jthread> threads;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    threads.emplace_back([this, shard] {
      for (std::uint64_t sequence = 0; sequence < 200; ++sequence) {
        EXPECT_EQ(store.commit(1, sequence, {{std::to_string(sequence % 10), "x"}}, shard),
                  MUSTER_OK);
      }
    });
  }
  threads.clear();
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const auto records = store.loaded(1, shard);
    ASSERT_EQ(records.size(), 10U);
    EXPECT_EQ(records.front().sequence, 190U);
    EXPECT_EQ(records.back().sequence, 199U);
  }
}

}  // namespace
}  // namespace muster::memory_store
