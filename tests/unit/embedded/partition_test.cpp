#include <gtest/gtest.h>

#include "kit.hpp"
#include "log/memory_log.hpp"
#include "partition/partition.hpp"

namespace muster::embedded::test {
namespace {

CheckedBatch checked(const Buffer& bytes) {
  CheckedBatch out;
  out.size = bytes.size();
  out.bytes = std::make_shared<std::uint8_t[]>(bytes.size());
  std::ranges::copy(bytes, out.bytes.get());
  return out;
}

TEST(Partition, AppendsNothingOnceItIsClosed) {
  const auto log = std::make_shared<MemoryLog>();
  Partition partition({log, {}}, 1000);
  EXPECT_EQ(partition.append(checked(batch(2)), {start_ms}).base_offset, 0);

  partition.close();
  const Appended late = partition.append(checked(batch(2)), {start_ms});

  EXPECT_EQ(late.error, Error::unknown_topic_or_partition);
  EXPECT_EQ(late.base_offset, -1);
  EXPECT_FALSE(late.stored);
  EXPECT_EQ(log->offsets().end, 2);
}

// Tells which appends were to reach the disk.
class WatchedLog : public MemoryLog {
 public:
  Stored<void> append(LogAppend append) override {
    syncs.push_back(append.sync);
    if (fails) return std::unexpected(StorageError{"the disk is gone"});
    return MemoryLog::append(std::move(append));
  }

  std::vector<bool> syncs;
  bool fails = false;
};

TEST(Partition, ReachesTheDiskAfterFlushMessagesRecords) {
  const auto log = std::make_shared<WatchedLog>();
  Partition partition({log, {}}, 1000);
  for (const int records : {2, 2, 1, 5, 4, 1}) {
    partition.append(checked(batch(records)), {start_ms, 5});
  }
  EXPECT_EQ(log->syncs, (std::vector{false, false, true, true, false, true}));
}

TEST(Partition, RemembersNothingOfAFailedAppend) {
  const auto log = std::make_shared<WatchedLog>();
  Partition partition({log, {}}, 1000);
  const Buffer first = batch(2, {.id = 7, .epoch = 0, .sequence = 0});
  log->fails = true;
  const Appended failed = partition.append(checked(first), {start_ms});
  EXPECT_EQ(failed.error, Error::kafka_storage_error);
  EXPECT_EQ(failed.fault, "the disk is gone");
  EXPECT_EQ(partition.offsets().end, 0);
  log->fails = false;
  EXPECT_TRUE(partition.append(checked(first), {start_ms}).stored);
}

}  // namespace
}  // namespace muster::embedded::test
