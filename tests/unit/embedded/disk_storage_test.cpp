// The durable storage across its reopening: topics, ids, producers, and what a torn file leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "kit.hpp"
#include "log/disk_storage.hpp"

namespace muster::embedded::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

protocol::Uuid id_of(std::uint8_t number) {
  protocol::Uuid id;
  id.bytes[0] = number;
  return id;
}

class DurableStorage : public ::testing::Test {
 protected:
  std::shared_ptr<DiskStorage> open(std::uint8_t cluster = 1) const {
    return *DiskStorage::open(folder_.path(), id_of(cluster));
  }
  // As after a start of the machine.
  std::shared_ptr<DiskStorage> open_after_boot(const std::string& boot_id) const {
    return *DiskStorage::open(folder_.path(), id_of(1), boot_id);
  }
  // A batch of one record.
  static Stored<void> append(PartitionLog& log, const ProducerEntry* producer = nullptr) {
    const std::int64_t at = log.offsets().end;
    auto bytes = std::make_shared<Buffer>(batch());
    protocol::stamp(*bytes, at, 0);
    return log.append({{bytes, Bytes(*bytes)}, {at, at, at}, producer});
  }
  // The base offsets of what can be read.
  static std::vector<std::int64_t> offsets_in(const PartitionLog& log) {
    const Buffer bytes = bytes_of(log.read({0, log.offsets().end, 1 << 20}));
    std::vector<std::int64_t> offsets;
    for (const auto& batch : protocol::Batches(bytes)) offsets.push_back(batch.base_offset());
    return offsets;
  }
  std::filesystem::path segment(std::uint8_t topic = 1) const {
    return folder_.path() / "segments" / id_of(topic).to_string() / "0" /
           "00000000000000000000.log";
  }
  std::filesystem::path newest_wal() const {
    std::filesystem::path newest;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
      if (file.path().extension() == ".log" && file.path() > newest) newest = file.path();
    }
    return newest;
  }

  ScratchFolder folder_;
};

TEST_F(DurableStorage, KeepsTheFirstClusterId) {
  const std::string first = open(1)->cluster_id();
  EXPECT_EQ(open(2)->cluster_id(), first);
  EXPECT_EQ(first, id_of(1).to_string());
}

TEST_F(DurableStorage, NeverGivesAProducerIdTwice) {
  EXPECT_EQ(open()->reserve_producer_ids(1000), 0);
  EXPECT_EQ(open()->reserve_producer_ids(10), 1000);
  EXPECT_EQ(open()->reserve_producer_ids(10), 1010);
}

TEST_F(DurableStorage, KeepsTopicsWithTheirConfigs) {
  ASSERT_TRUE(open()->apply(
      {{{"a", id_of(1), 3, {{"retention.ms", "7"}, {"x", ""}}}, {"b", id_of(2), 1, {}}}, {}}));
  ASSERT_TRUE(open()->apply({{{"a", id_of(1), 5, {{"retention.ms", "8"}}}}, {id_of(2)}}));
  const auto topics = *open()->topics();
  ASSERT_EQ(topics.size(), 1U);
  EXPECT_EQ(topics[0].name, "a");
  EXPECT_EQ(topics[0].id, id_of(1));
  EXPECT_EQ(topics[0].partition_count, 5);
  EXPECT_EQ(topics[0].configs, (ConfigOverrides{{"retention.ms", "8"}}));
}

TEST_F(DurableStorage, WritesNothingForALogThatIsOnlyOpened) {
  const auto storage = open();
  const auto before = std::filesystem::file_size(newest_wal());
  ASSERT_TRUE(storage->open(id_of(1), 0));
  EXPECT_EQ(std::filesystem::file_size(newest_wal()), before);
}

TEST_F(DurableStorage, RemovesTheLogsOfATopicAndNoOthers) {
  {
    const auto storage = open();
    ProducerEntry producer{.producer_id = 4, .epoch = 0, .last_write_ms = 1, .count = 1};
    for (const std::uint8_t topic : {1, 2, 3}) {
      for (const std::int32_t partition : {0, 1}) {
        auto log = storage->open(id_of(topic), partition)->log;
        ASSERT_TRUE(append(*log, &producer));
        ASSERT_TRUE(append(*log, &producer));
        ASSERT_TRUE(log->trim(1));
      }
    }
    ASSERT_TRUE(storage->apply({{}, {id_of(2)}}));
    const auto held = storage->open(id_of(2), 1);
    EXPECT_EQ(held->log->offsets(), (LogOffsets{0, 0}));
  }
  const auto storage = open();
  EXPECT_EQ(storage->open(id_of(1), 1)->log->offsets(), (LogOffsets{1, 2}));
  EXPECT_EQ(storage->open(id_of(2), 0)->log->offsets(), (LogOffsets{0, 0}));
  EXPECT_THAT(storage->open(id_of(2), 0)->producers, IsEmpty());
  EXPECT_EQ(storage->open(id_of(3), 0)->log->offsets(), (LogOffsets{1, 2}));
}

TEST_F(DurableStorage, AHeldLogOfARemovedTopicGivesNothing) {
  const auto storage = open();
  const auto log = storage->open(id_of(1), 0)->log;
  ASSERT_TRUE(append(*log));
  const auto reopened = storage->open(id_of(1), 0)->log;
  ASSERT_TRUE(storage->apply({{}, {id_of(1)}}));
  const auto read = reopened->read({0, 1, 10'000});
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, IsEmpty());
}

TEST_F(DurableStorage, KeepsProducersUntilTheyAreForgotten) {
  ProducerEntry first{.producer_id = 4, .epoch = 2, .last_write_ms = 77, .count = 2};
  first.batches[0] = {0, 9, 100, 1000};
  first.batches[1] = {10, 10, 110, 1001};
  ProducerEntry second{.producer_id = 5, .epoch = 0, .last_write_ms = 78, .count = 1};
  {
    const auto log = open()->open(id_of(1), 0)->log;
    ASSERT_TRUE(append(*log, &first));
    ASSERT_TRUE(append(*log, &second));
  }
  EXPECT_THAT(open()->open(id_of(1), 0)->producers, ElementsAre(first, second));
  {
    const auto log = open()->open(id_of(1), 0)->log;
    const std::int64_t gone[] = {4};
    ASSERT_TRUE(log->forget(gone));
  }
  EXPECT_THAT(open()->open(id_of(1), 0)->producers, ElementsAre(second));
}

TEST_F(DurableStorage, LosesOnlyTheLastWriteWhenThatIsTorn) {
  // A write of one batch has some 110 bytes.
  for (const auto& [cut, lost] : {std::pair{1, 1}, {80, 1}, {150, 2}}) {
    std::int64_t end = 0;
    {
      const auto log = open()->open(id_of(1), 0)->log;
      for (int i = 0; i < 5; ++i) ASSERT_TRUE(append(*log));
      end = log->offsets().end;
    }
    const auto wal = newest_wal();
    std::filesystem::resize_file(
        wal, std::filesystem::file_size(wal) - static_cast<std::uintmax_t>(cut));
    const auto log = open()->open(id_of(1), 0)->log;
    EXPECT_EQ(log->offsets().end, end - lost) << cut;
    EXPECT_EQ(offsets_in(*log).size(), static_cast<std::size_t>(end - lost));
  }
}

TEST_F(DurableStorage, IsNotHarmedByGarbageBehindItsLastWrite) {
  for (int round = 0; round < 3; ++round) {
    {
      const auto log = open()->open(id_of(1), 0)->log;
      ASSERT_TRUE(append(*log));
    }
    std::ofstream(newest_wal(), std::ios::binary | std::ios::app)
        << std::string(static_cast<std::size_t>(100 * round + 3), '\x5a');
  }
  EXPECT_EQ(open()->open(id_of(1), 0)->log->offsets().end, 3);
}

// A limit on the size of files, as a disk that is full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  sighandler_t handler_;
  rlimit before_{};
};

TEST_F(DurableStorage, GoesOnOnceThereIsRoomForBatches) {
  const auto log = open()->open(id_of(1), 0)->log;
  const auto big = std::make_shared<Buffer>(30'000, std::uint8_t{1});
  ASSERT_TRUE(append(*log));
  {
    const FileSizeLimit limit(20'000);
    const auto refused = log->append({{big, Bytes(*big)}, {1, 1, 1}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what,
                HasSubstr("takes no more until there is room: File too large"));
    EXPECT_EQ(log->append({{big, Bytes(*big)}, {1, 1, 1}}).error().what, "");
  }
  EXPECT_EQ(log->offsets().end, 1);
  ASSERT_TRUE(append(*log));
  EXPECT_THAT(offsets_in(*log), ElementsAre(0, 1));
}

TEST_F(DurableStorage, TakesNothingMoreOnceTheDatabaseCouldNotBeWritten) {
  std::int64_t end = 0;
  {
    const auto log = open()->open(id_of(1), 0)->log;
    {
      const FileSizeLimit limit(20'000);
      // Segments are the smaller part: every entry of the index has more bytes than its batch.
      Stored<void> done;
      while (done) done = append(*log);
      EXPECT_THAT(done.error().what, HasSubstr("takes no more until the broker starts again"));
    }
    end = log->offsets().end;
    EXPECT_GT(end, 5);
    EXPECT_EQ(offsets_in(*log).size(), static_cast<std::size_t>(end));
    // There is room again, and it was said before.
    const auto refused = append(*log);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what, "");
    EXPECT_EQ(log->offsets().end, end);
  }
  // The next process finds the files as they were left.
  const ScratchFolder left;
  std::filesystem::copy(folder_.path(), left.path(), std::filesystem::copy_options::recursive);
  const auto storage = *DiskStorage::open(left.path(), id_of(1));
  const auto log = storage->open(id_of(1), 0)->log;
  EXPECT_EQ(log->offsets().end, end);
  EXPECT_TRUE(append(*log));
}

TEST_F(DurableStorage, BelievesItsFilesAsLongAsTheMachineRan) {
  {
    const auto log = open_after_boot("1")->open(id_of(1), 0)->log;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(*log));
  }
  // Nobody looks.
  std::fstream(segment(), std::ios::in | std::ios::out | std::ios::binary).seekp(80) << "damage";
  EXPECT_EQ(open_after_boot("1")->open(id_of(1), 0)->log->offsets().end, 3);
}

TEST_F(DurableStorage, AfterALossOfPowerEndsWhereItsFilesAreWhole) {
  ProducerEntry producer{.producer_id = 4, .epoch = 0, .last_write_ms = 1, .count = 0};
  std::vector<std::uintmax_t> ends;
  {
    const auto log = open_after_boot("1")->open(id_of(1), 0)->log;
    for (int i = 0; i < 4; ++i) {
      producer.batches[producer.count++] = {i, i, i, i};
      ASSERT_TRUE(append(*log, &producer));
      ends.push_back(std::filesystem::file_size(segment()));
    }
  }
  // The third batch did not reach the disk, the fourth did.
  std::fstream(segment(), std::ios::in | std::ios::out | std::ios::binary)
          .seekp(static_cast<std::streamoff>(ends[1] + 70))
      << "damage";
  {
    const auto storage = open_after_boot("2");
    const auto opened = storage->open(id_of(1), 0);
    EXPECT_EQ(opened->log->offsets(), (LogOffsets{0, 2}));
    EXPECT_THAT(offsets_in(*opened->log), ElementsAre(0, 1));
    ASSERT_EQ(opened->producers.size(), 1U);
    EXPECT_EQ(opened->producers[0].count, 2U);
    ASSERT_TRUE(append(*opened->log));
    EXPECT_THAT(offsets_in(*opened->log), ElementsAre(0, 1, 2));
  }
  EXPECT_EQ(open_after_boot("2")->open(id_of(1), 0)->log->offsets().end, 3);
}

TEST_F(DurableStorage, EndsWhereItsFilesEnd) {
  {
    const auto log = open()->open(id_of(1), 0)->log;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(*log));
  }
  std::filesystem::resize_file(segment(), std::filesystem::file_size(segment()) - 1);
  EXPECT_EQ(open()->open(id_of(1), 0)->log->offsets(), (LogOffsets{0, 2}));
}

TEST_F(DurableStorage, WithoutItsFilesIsEmptyAndGoesOnBehindWhatItHad) {
  {
    const auto log = open()->open(id_of(1), 0)->log;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(*log));
  }
  std::filesystem::remove(segment());
  const auto log = open()->open(id_of(1), 0)->log;
  EXPECT_EQ(log->offsets(), (LogOffsets{0, 0}));
  EXPECT_TRUE(append(*log));
}

TEST_F(DurableStorage, RemovesSegmentsThatNobodyKnows) {
  {
    const auto storage = open();
    ASSERT_TRUE(append(*storage->open(id_of(1), 0)->log));
  }
  std::filesystem::create_directories(segment(2).parent_path());
  std::ofstream(segment(2)) << "left behind";
  open().reset();
  EXPECT_FALSE(std::filesystem::exists(segment(2)));
  EXPECT_TRUE(std::filesystem::exists(segment(1)));
}

TEST_F(DurableStorage, WritesOverWhatAKilledProcessLeftBehindItsLastBatch) {
  {
    const auto log = open()->open(id_of(1), 0)->log;
    ASSERT_TRUE(append(*log));
  }
  std::ofstream(segment(), std::ios::binary | std::ios::app) << std::string(500, 'x');
  const auto log = open()->open(id_of(1), 0)->log;
  EXPECT_THAT(offsets_in(*log), ElementsAre(0));
  ASSERT_TRUE(append(*log));
  EXPECT_THAT(offsets_in(*log), ElementsAre(0, 1));
}

TEST_F(DurableStorage, SaysThatAFolderIsInUse) {
  const auto storage = open();
  const auto second = DiskStorage::open(folder_.path(), id_of(1));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().what, HasSubstr("is in use"));
}

TEST_F(DurableStorage, SaysThatAFileIsDamaged) {
  open().reset();
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    if (file.path().filename().string().starts_with("MANIFEST")) {
      std::ofstream(file.path(), std::ios::binary) << "what is this";
    }
  }
  const auto damaged = DiskStorage::open(folder_.path(), id_of(1));
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().what, HasSubstr("is damaged"));
}

}  // namespace
}  // namespace muster::embedded::test
