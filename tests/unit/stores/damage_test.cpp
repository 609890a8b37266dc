// Files of a durable store that are cut off, overwritten or gone: a last write that was torn costs
// that write alone, all else is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "store_rig.hpp"
#include "support/contents.hpp"

namespace muster::stores {
namespace {

namespace fs = std::filesystem;
using ::muster::testing::contents;
using ::testing::AllOf;
using ::testing::HasSubstr;

void put(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

// Bytes that repeat on every run and look like nothing.
std::string garbage(std::size_t size) {
  std::string bytes;
  std::uint32_t state = 1;
  while (bytes.size() < size)
    bytes.push_back(static_cast<char>((state = state * 1664525 + 1013904223) >> 24));
  return bytes;
}

class DamagedStore : public ::testing::Test {
 protected:
  std::unique_ptr<Store> made() {
    const StoreKind kind{"rocksdb", true};
    return std::make_unique<Store>(kind, Store::Settings{folder_.path(), "os"});
  }
  // The newest file of that kind.
  fs::path file(const std::string& extension) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const fs::path& path = entry.path();
      if (path.extension() == extension || path.filename().string().starts_with(extension)) {
        found.push_back(path);
      }
    }
    if (found.empty()) throw std::runtime_error("there is no " + extension);
    return *std::ranges::max_element(found);
  }
  // Batches "0" to "count - 1", the last of them of this size.
  void fill(std::uint64_t count, std::size_t last_bytes = 100) {
    const auto store = made();
    ASSERT_EQ(store->open("groups", 1), MUSTER_OK) << store->complaint;
    (void)store->loaded(store->epoch());
    for (std::uint64_t i = 0; i + 1 < count; ++i) {
      ASSERT_EQ(store->commit(store->epoch(), i, {{std::to_string(i), "value"}}), MUSTER_OK);
    }
    before_last_ = fs::file_size(file(".log"));
    ASSERT_EQ(store->commit(store->epoch(), count - 1,
                            {{std::to_string(count - 1), std::string(last_bytes, 'x')}}),
              MUSTER_OK);
  }
  // Opens it; as many batches as these are there, and it goes on.
  void expect_batches(std::uint64_t count) {
    const auto store = made();
    ASSERT_TRUE(store->created()) << store->complaint;
    ASSERT_EQ(store->open("groups", 1), MUSTER_OK) << store->complaint;
    const auto records = store->loaded(store->epoch());
    ASSERT_EQ(records.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(records[i].key, std::to_string(i));
    EXPECT_EQ(store->commit(store->epoch(), count, {{std::to_string(count), "x"}}), MUSTER_OK);
  }
  void expect_refused() {
    const auto store = made();
    EXPECT_FALSE(store->created());
    EXPECT_THAT(store->complaint, AllOf(HasSubstr("is damaged"), HasSubstr(folder_.path().string()),
                                        HasSubstr("restore the folder from a copy")));
  }

  ScratchFolder folder_;
  std::size_t before_last_ = 0;  // the log without its last write
};

TEST_F(DamagedStore, WithoutItsLastBytesLosesTheLastWriteOnly) {
  fill(5);
  const std::string whole = contents(file(".log"));
  const fs::path saved = folder_.path().string() + "-saved";
  fs::copy(folder_.path(), saved);
  for (std::size_t size = before_last_; size < whole.size();
       size += size < before_last_ + 9 ? 1 : 20) {
    fs::remove_all(folder_.path());
    fs::copy(saved, folder_.path());
    put(file(".log"), whole.substr(0, size));
    expect_batches(4);
    expect_batches(5);
  }
  fs::remove_all(saved);
}

TEST_F(DamagedStore, WithGarbageInPlaceOfItsLastWriteLosesThatOnly) {
  fill(5);
  const std::string whole = contents(file(".log"));
  put(file(".log"), whole.substr(0, before_last_) + garbage(whole.size() - before_last_));
  expect_batches(4);
  expect_batches(5);
}

TEST_F(DamagedStore, WithGarbageWithinALongLastWriteLosesThatOnly) {
  fill(5, 200'000);
  std::string whole = contents(file(".log"));
  whole.replace(before_last_ + 50'000, 1000, garbage(1000));
  put(file(".log"), whole);
  expect_batches(4);
  expect_batches(5);
}

TEST_F(DamagedStore, WithGarbageOrZeroesBehindItsLastWriteLosesNothing) {
  for (const std::string& behind : {garbage(3000), std::string(3000, '\0')}) {
    fs::remove_all(folder_.path());
    fs::create_directory(folder_.path());
    fill(5);
    put(file(".log"), contents(file(".log")) + behind);
    expect_batches(5);
    expect_batches(6);
  }
}

// Such a start has begun a log, and nothing in it tells that the one before is not needed any more.
TEST_F(DamagedStore, WithATornWriteIsOpenedAfterAStartThatWasKilledMeanwhile) {
  fill(5);
  const fs::path torn = file(".log");
  put(torn, contents(torn) + garbage(40));
  const fs::path saved = folder_.path().string() + "-saved";
  fs::copy(folder_.path(), saved);
  { ASSERT_TRUE(made()->created()); }
  const fs::path begun = file(".log");
  ASSERT_NE(begun, torn);
  constexpr std::size_t empty_write = 19;
  const std::string bytes = contents(begun).substr(0, empty_write);
  fs::remove_all(folder_.path());
  fs::copy(saved, folder_.path());
  put(begun, bytes);
  expect_batches(5);
  expect_batches(6);
  fs::remove_all(saved);
}

TEST_F(DamagedStore, TellsThatALastWriteIsLeftOut) {
  fill(2);
  std::string whole = contents(file(".log"));
  whole.back() = '?';
  put(file(".log"), whole);
  const auto store = made();
  ASSERT_EQ(store->log().size(), 1U);
  EXPECT_THAT(store->log()[0].second, HasSubstr("torn"));
}

TEST_F(DamagedStore, IsRefusedWhereItsLogIsDamagedBeforeOtherWrites) {
  fill(50);
  const std::string whole = contents(file(".log"));
  for (std::size_t at = 3; at < before_last_; at += 41) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    put(file(".log"), damaged);
    expect_refused();
  }
  put(file(".log"), whole.substr(0, 200) + std::string(500, '\0') + whole.substr(700));
  expect_refused();
  put(file(".log"), whole);
  expect_batches(50);
}

TEST_F(DamagedStore, IsRefusedWhereALongLogLostAPage) {
  fill(3000, 10);
  std::string whole = contents(file(".log"));
  ASSERT_GT(whole.size(), 100'000U);
  whole.replace(65536 + 4096, 4096, 4096, '\0');
  put(file(".log"), whole);
  expect_refused();
}

// Opening moves what the log has into a table.
TEST_F(DamagedStore, SaysWhenItLoadsThatATableIsDamaged) {
  fill(50);
  expect_batches(50);
  std::string table = contents(file(".sst"));
  table.replace(20, 10, garbage(10));
  put(file(".sst"), table);
  const auto store = made();
  if (!store->created()) {
    EXPECT_THAT(store->complaint, HasSubstr("is damaged"));
    return;
  }
  // The place of the space may lie in the same block.
  std::vector<Loaded> records;
  const bool opened = store->open("groups", 1) == MUSTER_OK;
  EXPECT_EQ(opened ? store->load(store->epoch(), records) : MUSTER_CORRUPT, MUSTER_CORRUPT);
  EXPECT_THAT(store->complaint, AllOf(HasSubstr("is damaged"), HasSubstr(".sst")));
}

TEST_F(DamagedStore, IsRefusedWithoutOneOfItsTables) {
  fill(5);
  expect_batches(5);
  fs::remove(file(".sst"));
  expect_refused();
}

TEST_F(DamagedStore, IsRefusedWithADamagedManifest) {
  fill(5);
  std::string manifest = contents(file("MANIFEST"));
  manifest.replace(manifest.size() / 2, 5, "?????");
  put(file("MANIFEST"), manifest);
  expect_refused();
}

TEST_F(DamagedStore, IsRefusedWithoutItsManifest) {
  fill(5);
  fs::remove(file("MANIFEST"));
  const auto store = made();
  EXPECT_FALSE(store->created());
  EXPECT_THAT(store->complaint, HasSubstr("MANIFEST"));
}

}  // namespace
}  // namespace muster::stores
