// The durable storage across its reopening: topics, ids, producers, and what a torn file leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "kit.hpp"
#include "log/disk_storage.hpp"
#include "log/rocks_database.hpp"

namespace muster::embedded::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
    const std::int64_t written_ms = producer == nullptr ? 100 : producer->last_write_ms;
    return log.append({{bytes, Bytes(*bytes)}, {at, at, at}, producer, false, written_ms});
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
  std::filesystem::path index() const { return segment().replace_extension(".index"); }
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
  ASSERT_TRUE(storage->open(id_of(1), 0, 0));
  EXPECT_EQ(std::filesystem::file_size(newest_wal()), before);
}

TEST_F(DurableStorage, RemovesTheLogsOfATopicAndNoOthers) {
  {
    const auto storage = open();
    ProducerEntry producer{.producer_id = 4, .epoch = 0, .last_write_ms = 1, .count = 1};
    for (const std::uint8_t topic : {1, 2, 3}) {
      for (const std::int32_t partition : {0, 1}) {
        auto log = storage->open(id_of(topic), partition, 0)->log;
        ASSERT_TRUE(append(*log, &producer));
        ASSERT_TRUE(append(*log, &producer));
        ASSERT_TRUE(log->trim(1));
      }
    }
    ASSERT_TRUE(storage->apply({{}, {id_of(2)}}));
    const auto held = storage->open(id_of(2), 1, 0);
    EXPECT_EQ(held->log->offsets(), (LogOffsets{0, 0}));
  }
  const auto storage = open();
  EXPECT_EQ(storage->open(id_of(1), 1, 0)->log->offsets(), (LogOffsets{1, 2}));
  EXPECT_EQ(storage->open(id_of(2), 0, 0)->log->offsets(), (LogOffsets{0, 0}));
  EXPECT_THAT(storage->open(id_of(2), 0, 0)->producers, IsEmpty());
  EXPECT_EQ(storage->open(id_of(3), 0, 0)->log->offsets(), (LogOffsets{1, 2}));
}

TEST_F(DurableStorage, AHeldLogOfARemovedTopicGivesNothing) {
  const auto storage = open();
  const auto log = storage->open(id_of(1), 0, 0)->log;
  ASSERT_TRUE(append(*log));
  const auto reopened = storage->open(id_of(1), 0, 0)->log;
  ASSERT_TRUE(storage->apply({{}, {id_of(1)}}));
  const auto read = reopened->read({0, 1, 10'000});
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, IsEmpty());
}

ProducerEntry producer_of(std::int64_t id, std::int64_t written_ms) {
  return {.producer_id = id, .epoch = 2, .last_write_ms = written_ms, .count = 0};
}

// One more batch of one record, as it is at that offset.
void add_batch(ProducerEntry& producer, std::int32_t sequence, std::int64_t offset) {
  if (producer.count == ProducerEntry::kept) {
    std::ranges::rotate(producer.batches, producer.batches.begin() + 1);
    --producer.count;
  }
  producer.batches[producer.count++] = {sequence, sequence, offset, offset};
}

TEST_F(DurableStorage, KnowsTheLastBatchesOfProducersThatWroteLately) {
  ProducerEntry first = producer_of(4, 77);
  ProducerEntry second = producer_of(5, 78);
  ProducerEntry old = producer_of(6, 20);
  {
    const auto log = open()->open(id_of(1), 0, 0)->log;
    add_batch(old, 0, 0);
    ASSERT_TRUE(append(*log, &old));
    for (int sequence = 0; sequence < 7; ++sequence) {
      add_batch(first, sequence, log->offsets().end);
      ASSERT_TRUE(append(*log, &first));
    }
    add_batch(second, 9, log->offsets().end);
    ASSERT_TRUE(append(*log, &second));
    ASSERT_TRUE(append(*log));
  }
  EXPECT_THAT(open()->open(id_of(1), 0, 0)->producers, ElementsAre(first, second, old));
  EXPECT_THAT(open()->open(id_of(1), 0, 21)->producers, ElementsAre(first, second));
  EXPECT_THAT(open()->open(id_of(1), 0, 78)->producers, ElementsAre(second));
}

TEST_F(DurableStorage, KnowsOfAProducerOnlyBatchesOfItsNewestEpoch) {
  ProducerEntry producer = producer_of(4, 77);
  {
    const auto log = open()->open(id_of(1), 0, 0)->log;
    add_batch(producer, 0, 0);
    ASSERT_TRUE(append(*log, &producer));
    producer = producer_of(4, 78);
    producer.epoch = 3;
    add_batch(producer, 0, 1);
    ASSERT_TRUE(append(*log, &producer));
  }
  EXPECT_THAT(open()->open(id_of(1), 0, 0)->producers, ElementsAre(producer));
}

TEST_F(DurableStorage, LosesOnlyTheLastBatchesWhenItsIndexIsTorn) {
  for (const auto& [cut, lost] : {std::pair{1, 1}, {72, 1}, {73, 2}}) {
    std::int64_t end = 0;
    {
      const auto log = open()->open(id_of(1), 0, 0)->log;
      for (int i = 0; i < 5; ++i) ASSERT_TRUE(append(*log));
      end = log->offsets().end;
    }
    std::filesystem::resize_file(
        index(), std::filesystem::file_size(index()) - static_cast<std::uintmax_t>(cut));
    const auto log = open()->open(id_of(1), 0, 0)->log;
    EXPECT_EQ(log->offsets().end, end - lost) << cut;
    EXPECT_EQ(offsets_in(*log).size(), static_cast<std::size_t>(end - lost));
  }
}

TEST_F(DurableStorage, IsNotHarmedByGarbageBehindItsLastWrites) {
  for (int round = 0; round < 4; ++round) {
    {
      const auto log = open()->open(id_of(1), 0, 0)->log;
      ASSERT_TRUE(append(*log));
    }
    for (const auto& file : {newest_wal(), segment(), index()}) {
      std::ofstream(file, std::ios::binary | std::ios::app)
          << std::string(static_cast<std::size_t>(100 * round + 3), '\x5a');
    }
  }
  const auto log = open()->open(id_of(1), 0, 0)->log;
  EXPECT_THAT(offsets_in(*log), ElementsAre(0, 1, 2, 3));
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
  const auto log = open()->open(id_of(1), 0, 0)->log;
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

TEST_F(DurableStorage, TakesNoMoreTopicsOnceTheDatabaseCouldNotBeWritten) {
  const std::string long_name(5'000, 'x');
  const auto create = [&](DiskStorage& storage, std::uint8_t number) {
    return storage.apply({{{long_name, id_of(number), 1, {}}}, {}});
  };
  {
    const auto storage = open();
    {
      const FileSizeLimit limit(20'000);
      Stored<void> done;
      for (std::uint8_t number = 1; done; ++number) done = create(*storage, number);
      EXPECT_THAT(done.error().what, HasSubstr("takes no more until the broker starts again"));
    }
    // There is room again, and it was said before.
    const auto refused = create(*storage, 99);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what, "");
  }
  // The next process finds the files as they were left.
  const ScratchFolder left;
  std::filesystem::copy(folder_.path(), left.path(), std::filesystem::copy_options::recursive);
  const auto storage = *DiskStorage::open(left.path(), id_of(1));
  EXPECT_GE(storage->topics()->size(), 2U);
  EXPECT_TRUE(create(*storage, 100));
}

TEST_F(DurableStorage, BelievesItsFilesAsLongAsTheMachineRan) {
  {
    const auto log = open_after_boot("1")->open(id_of(1), 0, 0)->log;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(*log));
  }
  // Nobody looks.
  std::fstream(segment(), std::ios::in | std::ios::out | std::ios::binary).seekp(80) << "damage";
  EXPECT_EQ(open_after_boot("1")->open(id_of(1), 0, 0)->log->offsets().end, 3);
}

TEST_F(DurableStorage, AfterALossOfPowerEndsWhereItsFilesAreWhole) {
  ProducerEntry producer = producer_of(4, 1);
  std::vector<std::uintmax_t> ends;
  {
    const auto log = open_after_boot("1")->open(id_of(1), 0, 0)->log;
    for (int i = 0; i < 4; ++i) {
      add_batch(producer, i, i);
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
    const auto opened = storage->open(id_of(1), 0, 0);
    EXPECT_EQ(opened->log->offsets(), (LogOffsets{0, 2}));
    EXPECT_THAT(offsets_in(*opened->log), ElementsAre(0, 1));
    ASSERT_EQ(opened->producers.size(), 1U);
    EXPECT_EQ(opened->producers[0].count, 2U);
    ASSERT_TRUE(append(*opened->log));
    EXPECT_THAT(offsets_in(*opened->log), ElementsAre(0, 1, 2));
  }
  EXPECT_EQ(open_after_boot("2")->open(id_of(1), 0, 0)->log->offsets().end, 3);
}

TEST_F(DurableStorage, EndsWhereItsFilesEnd) {
  {
    const auto log = open()->open(id_of(1), 0, 0)->log;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(*log));
  }
  std::filesystem::resize_file(segment(), std::filesystem::file_size(segment()) - 1);
  EXPECT_EQ(open()->open(id_of(1), 0, 0)->log->offsets(), (LogOffsets{0, 2}));
}

TEST_F(DurableStorage, WithoutItsFilesIsEmpty) {
  {
    const auto log = open()->open(id_of(1), 0, 0)->log;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(*log));
  }
  std::filesystem::remove(segment());
  const auto log = open()->open(id_of(1), 0, 0)->log;
  EXPECT_EQ(log->offsets(), (LogOffsets{0, 0}));
  EXPECT_TRUE(append(*log));
}

TEST_F(DurableStorage, FinishesARemovalThatWasCutShort) {
  {
    const auto storage = open();
    for (const std::uint8_t topic : {1, 2}) {
      ASSERT_TRUE(append(*storage->open(id_of(topic), 0, 0)->log));
    }
  }
  // The database was told, then the process ended.
  const auto id = id_of(2).bytes;
  (*RocksDatabase::open(folder_.path()))->put("x" + std::string(id.begin(), id.end()), "", true);
  open().reset();
  EXPECT_FALSE(std::filesystem::exists(segment(2)));
  EXPECT_TRUE(std::filesystem::exists(segment(1)));
}

TEST_F(DurableStorage, RemovesHalfOfASegment) {
  {
    const auto log = open()->open(id_of(1), 0, 0)->log;
    ASSERT_TRUE(append(*log));
  }
  const auto half = segment().replace_filename("00000000000000000999.log");
  std::ofstream(half) << "begun";
  EXPECT_EQ(open()->open(id_of(1), 0, 0)->log->offsets().end, 1);
  EXPECT_FALSE(std::filesystem::exists(half));
}

TEST_F(DurableStorage, IsRefusedWhereAnOlderSegmentIsDamaged) {
  {
    const auto log = open_after_boot("1")->open(id_of(1), 0, 0)->log;
    const auto big = std::make_shared<Buffer>(std::size_t{33} << 20, std::uint8_t{7});
    for (std::int64_t at = 0; at < 4; ++at) {
      ASSERT_TRUE(log->append({{big, Bytes(*big)}, {at, at, at}}));
    }
  }
  std::filesystem::resize_file(index(), 72);
  const auto opened = open_after_boot("1")->open(id_of(1), 0, 0);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().what, HasSubstr("00000000000000000000.index is damaged"));
}

TEST_F(DurableStorage, WritesOverWhatAKilledProcessLeftBehindItsLastBatch) {
  {
    const auto log = open()->open(id_of(1), 0, 0)->log;
    ASSERT_TRUE(append(*log));
  }
  std::ofstream(segment(), std::ios::binary | std::ios::app) << std::string(500, 'x');
  const auto log = open()->open(id_of(1), 0, 0)->log;
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
