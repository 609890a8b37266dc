// What a durable store says of a world that does not let it work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "child.hpp"
#include "store_rig.hpp"

namespace muster::stores {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int skipped = 77;

TEST(StoreFaults, AFolderThatAnotherProcessUsesIsRefused) {
  const ScratchFolder folder;
  Child holder({"hold", folder.path().string()});
  ASSERT_EQ(holder.line(), "open");
  const Store second({"rocksdb", true}, {folder.path()});
  EXPECT_FALSE(second.created());
  EXPECT_EQ(second.complaint, folder.path().string() + " is in use by another process");
}

TEST(StoreFaults, AFolderOfAKilledProcessIsFree) {
  const ScratchFolder folder;
  Child holder({"hold", folder.path().string()});
  ASSERT_EQ(holder.line(), "open");
  holder.kill();
  holder.wait();
  const Store second({"rocksdb", true}, {folder.path()});
  EXPECT_TRUE(second.created()) << second.complaint;
}

TEST(StoreFaults, AFolderThatMayOnlyBeReadIsRefused) {
  const ScratchFolder folder;
  {
    const Store store({"rocksdb", true}, {folder.path()});
  }
  fs::permissions(folder.path(), fs::perms{0555});
  Child child({"as-nobody", folder.path().string()});
  const std::string said = child.line();
  ASSERT_EQ(child.wait(), 0);
  fs::permissions(folder.path(), fs::perms{0755});
  EXPECT_THAT(said, AllOf(HasSubstr(folder.path().string() + " cannot be written"),
                          HasSubstr("Permission denied")));
}

// Code, log, number of acknowledged batches: the first three lines of the child.
struct Filled {
  explicit Filled(Child& child)
      : code(child.line()), log(child.line()), acknowledged(child.line()) {}
  std::string code, log, acknowledged;
};

TEST(StoreFaults, AWriteThatFailsIsToldAndCostsNothingAcknowledged) {
  const ScratchFolder folder;
  Child child({"bounded", folder.path().string()});
  const Filled filled(child);
  ASSERT_EQ(child.wait(), 0);
  EXPECT_EQ(filled.code, std::to_string(MUSTER_UNAVAILABLE));
  EXPECT_THAT(filled.log, AllOf(HasSubstr("cannot commit"), HasSubstr("File too large")));
  const std::size_t acknowledged = std::strtoull(filled.acknowledged.c_str(), nullptr, 10);
  EXPECT_GT(acknowledged, 100U);
  Store store({"rocksdb", true}, {folder.path()});
  ASSERT_EQ(store.open("groups", 1), MUSTER_OK) << store.complaint;
  // And the record "last".
  EXPECT_EQ(store.loaded(store.epoch()).size(), acknowledged + 1);
}

TEST(StoreFaults, AFullDiskIsToldAndTheStoreGoesOnWhenThereIsSpace) {
  const ScratchFolder folder;
  Child child({"full", folder.path().string()});
  const Filled filled(child);
  const std::string load = child.line();
  const std::string loaded = child.line();
  const std::string commit = child.line();
  const int ended = child.wait();
  if (ended == skipped) GTEST_SKIP() << "no right to mount a small disk";
  ASSERT_EQ(ended, 0);
  EXPECT_EQ(filled.code, std::to_string(MUSTER_UNAVAILABLE));
  EXPECT_THAT(filled.log, AllOf(HasSubstr("cannot commit"), HasSubstr("is full")));
  EXPECT_EQ(load.substr(0, 1), std::to_string(MUSTER_OK)) << load;
  EXPECT_EQ(loaded, filled.acknowledged);
  EXPECT_EQ(commit, std::to_string(MUSTER_OK));
}

}  // namespace
}  // namespace muster::stores
