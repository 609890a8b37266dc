// What the port promises, of both logs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kit.hpp"
#include "log/memory_log.hpp"
#include "log/disk_storage.hpp"

namespace muster::embedded::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const protocol::Uuid topic_id = id_of(1);

class PartitionLogs : public ::testing::TestWithParam<bool> {
 protected:
  PartitionLogs() { reopen(); }

  bool durable() const { return GetParam(); }

  // What is left of it after its end.
  void reopen() {
    log_.reset();
    storage_.reset();
    if (!durable()) {
      storage_ = std::make_shared<MemoryLogs>();
    } else {
      storage_ = *DiskStorage::open(folder_.path(), id_of(9));
    }
    log_ = storage_->open(topic_id, 0, 0)->log;
  }

  // A batch of two offsets.
  void append(std::int64_t timestamp) {
    const std::int64_t at = log_->offsets().end;
    auto bytes = std::make_shared<Buffer>(size, static_cast<std::uint8_t>(at));
    ASSERT_TRUE(log_->append({.batch = {bytes, Bytes(*bytes)}, .range = {at, at + 1, timestamp}}));
  }
  void append_all(std::initializer_list<std::int64_t> timestamps) {
    for (const std::int64_t timestamp : timestamps) append(timestamp);
  }

  // By the base offsets that batches were filled with; the last one may be cut off.
  std::vector<int> read(ReadLimits limits) const {
    std::vector<int> found;
    const Buffer bytes = read_bytes(limits);
    for (std::size_t at = 0; at < bytes.size(); at += size) found.push_back(bytes[at]);
    return found;
  }
  Buffer read_bytes(ReadLimits limits) const { return bytes_of(log_->read(limits)); }
  int reaching(std::int64_t timestamp, std::int64_t from = 0) const {
    const auto found = *log_->first_reaching(timestamp, from);
    return found ? found->bytes[0] : -1;
  }
  int newest(std::int64_t from = 0) const {
    const auto found = *log_->newest_by_timestamp(from);
    return found ? found->bytes[0] : -1;
  }

  std::filesystem::path segments() const {
    return folder_.path() / "segments" / topic_id.to_string() / "0";
  }
  std::vector<std::string> segment_files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(segments())) {
      if (file.path().extension() == ".log") names.push_back(file.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  static constexpr std::size_t size = 600;
  static constexpr std::int64_t plenty = 1 << 20;
  ScratchFolder folder_;
  std::shared_ptr<LogStorage> storage_;
  std::shared_ptr<PartitionLog> log_;
};

class DurableLog : public PartitionLogs {};

TEST_P(PartitionLogs, BeginsEmpty) {
  EXPECT_EQ(log_->offsets(), (LogOffsets{0, 0}));
  EXPECT_EQ(log_->bytes(), 0);
  EXPECT_THAT(read({0, 0, plenty, true}), IsEmpty());
  EXPECT_EQ(reaching(0), -1);
  EXPECT_EQ(newest(), -1);
}

TEST_P(PartitionLogs, ReadsFromTheBatchThatHoldsTheOffset) {
  append_all({10, 20, 30, 40});
  EXPECT_EQ(log_->offsets(), (LogOffsets{0, 8}));
  EXPECT_THAT(read({3, 8, plenty}), ElementsAre(2, 4, 6));
  EXPECT_THAT(read({3, 6, plenty}), ElementsAre(2, 4));
  EXPECT_THAT(read({8, 8, plenty}), IsEmpty());
}

TEST_P(PartitionLogs, ReadsAsManyBytesAsFitOrOneBatchIfThatIsWanted) {
  append_all({10, 20, 30});
  EXPECT_THAT(read({0, 6, 2 * size}), ElementsAre(0, 2));
  EXPECT_THAT(read({0, 6, 2 * size + 1}), ElementsAre(0, 2, 4));
  EXPECT_EQ(read_bytes({0, 6, 2 * size + 1}).size(), 2 * size + 1);
  EXPECT_EQ(read_bytes({0, 6, 2 * size - 1}).size(), 2 * size - 1);
  EXPECT_THAT(read({0, 6, size - 1}), IsEmpty());
  EXPECT_THAT(read({0, 6, size - 1, true}), ElementsAre(0));
}

TEST_P(PartitionLogs, TellsTheSizesOfBatches) {
  append_all({10, 20, 30});
  EXPECT_EQ(log_->bytes(), 3 * static_cast<std::int64_t>(size));
  EXPECT_THAT(*log_->index(3, 1), ElementsAre(IndexedBatch{{2, 3, 20}, size}));
  EXPECT_EQ(log_->index(0, 10)->size(), 3U);
}

TEST_P(PartitionLogs, FindsTheFirstBatchThatReachesATimestamp) {
  append_all({10, 30, 20, 40});
  EXPECT_EQ(reaching(5), 0);
  EXPECT_EQ(reaching(11), 2);
  EXPECT_EQ(reaching(20), 2);
  EXPECT_EQ(reaching(31), 6);
  EXPECT_EQ(reaching(41), -1);
}

TEST_P(PartitionLogs, FindsTheFirstBehindAnOffsetThatReachesATimestamp) {
  append_all({10, 30, 20, 40});
  EXPECT_EQ(reaching(15, 3), 2);
  EXPECT_EQ(reaching(15, 4), 4);
  EXPECT_EQ(reaching(25, 4), 6);
  EXPECT_EQ(reaching(15, 8), -1);
}

TEST_P(PartitionLogs, FindsTheFirstOfTheNewest) {
  append_all({10, 30, 30, 20, 5});
  EXPECT_EQ(newest(), 2);
  EXPECT_EQ(newest(3), 2);
  EXPECT_EQ(newest(4), 4);
  EXPECT_EQ(newest(6), 6);
}

TEST_P(PartitionLogs, LosesTheBatchesBelowItsStart) {
  append_all({10, 20, 30});
  ASSERT_TRUE(log_->trim(3));
  EXPECT_EQ(log_->offsets(), (LogOffsets{3, 6}));
  EXPECT_EQ(log_->bytes(), 2 * static_cast<std::int64_t>(size));
  EXPECT_THAT(read({3, 6, plenty}), ElementsAre(2, 4));
  EXPECT_THAT(*log_->index(0, 1), ElementsAre(IndexedBatch{{2, 3, 20}, size}));
  ASSERT_TRUE(log_->trim(2));
  EXPECT_EQ(log_->offsets().start, 3);
}

TEST_P(PartitionLogs, ForgetsTimestampsThatWereTrimmed) {
  append_all({100, 50, 60, 55, 110});
  ASSERT_TRUE(log_->trim(2));
  EXPECT_EQ(reaching(40), 2);
  EXPECT_EQ(reaching(55), 4);
  EXPECT_EQ(reaching(70), 8);
  ASSERT_TRUE(log_->trim(10));
  EXPECT_EQ(newest(), -1);
  append_all({7, 3});
  EXPECT_EQ(newest(), 10);
  EXPECT_EQ(reaching(5), 10);
}

TEST_P(PartitionLogs, GoesOnBehindItsEndWhenAllWasTrimmed) {
  append_all({10, 20});
  ASSERT_TRUE(log_->trim(4));
  EXPECT_EQ(log_->offsets(), (LogOffsets{4, 4}));
  EXPECT_EQ(log_->bytes(), 0);
  append(30);
  EXPECT_EQ(log_->offsets(), (LogOffsets{4, 6}));
  EXPECT_THAT(read({4, 6, plenty}), ElementsAre(4));
}

TEST_P(PartitionLogs, KeepsBytesForWhoeverHoldsThem) {
  for (int i = 0; i < 100; ++i) append(10);
  // Few are copied, many stay where they are.
  const auto one = log_->read({0, 200, size});
  const auto all = log_->read({0, 200, plenty});
  ASSERT_TRUE(log_->trim(200));
  log_.reset();
  storage_.reset();
  EXPECT_EQ(bytes_of(one), Buffer(size, 0));
  const Buffer kept = bytes_of(all);
  ASSERT_EQ(kept.size(), 100 * size);
  EXPECT_EQ(kept[99 * size], 198);
}

INSTANTIATE_TEST_SUITE_P(Log, PartitionLogs, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Disk" : "Memory"; });

TEST_P(DurableLog, IsTheSameWhenItIsOpenedAgain) {
  append_all({10, 30, 20, 40});
  ASSERT_TRUE(log_->trim(3));
  reopen();
  EXPECT_EQ(log_->offsets(), (LogOffsets{3, 8}));
  EXPECT_EQ(log_->bytes(), 3 * static_cast<std::int64_t>(size));
  EXPECT_THAT(read({3, 8, plenty}), ElementsAre(2, 4, 6));
  EXPECT_EQ(reaching(31, 3), 6);
  EXPECT_EQ(newest(3), 6);
  append(50);
  EXPECT_THAT(read({6, 10, plenty}), ElementsAre(6, 8));
  EXPECT_EQ(newest(3), 8);
}

TEST_P(DurableLog, KeepsItsEndWhenAllWasTrimmed) {
  append_all({10, 20});
  ASSERT_TRUE(log_->trim(4));
  reopen();
  EXPECT_EQ(log_->offsets(), (LogOffsets{4, 4}));
  append(5);
  reopen();
  EXPECT_EQ(log_->offsets(), (LogOffsets{4, 6}));
  EXPECT_EQ(newest(), 4);
}

TEST_P(DurableLog, ReadsBatchesOfThisProcessAndOfTheOneBeforeAlike) {
  append_all({10, 20});
  reopen();
  append_all({30});
  EXPECT_THAT(read({0, 6, plenty}), ElementsAre(0, 2, 4));
  EXPECT_THAT(read({5, 6, plenty}), ElementsAre(4));
}

TEST_P(DurableLog, GivesItsRoomBack) {
  for (int i = 0; i < 2000; ++i) append(i);
  ASSERT_TRUE(log_->trim(4000));
  reopen();
  append(1);
  EXPECT_THAT(read({4000, 4002, plenty}), ElementsAre(4000 & 0xFF));
  ASSERT_EQ(segment_files().size(), 1U);
  EXPECT_EQ(std::filesystem::file_size(segments() / segment_files()[0]), size);
}

// Of some 64 MiB.
TEST_P(DurableLog, IsCutIntoSegmentsThatGoAsTheirBatchesDo) {
  const auto big = std::make_shared<Buffer>(std::size_t{20} << 20, std::uint8_t{7});
  for (std::int64_t at = 0; at < 8; ++at) {
    ASSERT_TRUE(log_->append({.batch = {big, Bytes(*big)}, .range = {at, at, at}}));
  }
  EXPECT_THAT(segment_files(),
              ElementsAre("00000000000000000000.log", "00000000000083886080.log"));
  // A stretch ends with its segment.
  EXPECT_EQ(read_bytes({3, 8, 50 << 20}).size(), big->size());
  EXPECT_EQ(read_bytes({4, 8, 50 << 20}).size(), std::size_t{50} << 20);
  ASSERT_TRUE(log_->trim(3));
  EXPECT_EQ(segment_files().size(), 2U);
  ASSERT_TRUE(log_->trim(4));
  EXPECT_THAT(segment_files(), ElementsAre("00000000000083886080.log"));
  reopen();
  EXPECT_EQ(log_->bytes(), 4 * static_cast<std::int64_t>(big->size()));
  EXPECT_EQ(read_bytes({7, 8, 50 << 20}).size(), big->size());
}

INSTANTIATE_TEST_SUITE_P(Log, DurableLog, ::testing::Values(true),
                         [](const auto&) { return "Disk"; });

}  // namespace
}  // namespace muster::embedded::test
