// What a start knows of idempotent producers that wrote before the newest segment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "kit.hpp"
#include "log/disk_storage.hpp"
#include "log/producer_snapshot.hpp"
#include "partition/producer_states.hpp"

namespace muster::embedded::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ProducerSnapshot, IsReadAsItWasWritten) {
  ProducerEntry one{.producer_id = 4, .epoch = 2, .last_write_ms = 77, .count = 1};
  one.batches[0] = {0, 9, 100, 5};
  ProducerEntry five{.producer_id = 1'000'000'007, .epoch = 0, .last_write_ms = 78, .count = 5};
  for (std::int32_t i = 0; i < 5; ++i) five.batches[static_cast<std::size_t>(i)] = {i, i, i, -1};
  const std::vector<ProducerEntry> all{one, five};
  EXPECT_EQ(producer_snapshot(to_bytes(all)), all);
  EXPECT_EQ(producer_snapshot(to_bytes({})), std::vector<ProducerEntry>());
}

TEST(ProducerSnapshot, IsNotReadWhereAnyByteIsWrongOrMissing) {
  const std::vector<ProducerEntry> all(2, {.producer_id = 4, .epoch = 2, .count = 1});
  const Buffer whole = to_bytes(all);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Buffer wrong = whole;
    wrong[i] ^= 1;
    EXPECT_FALSE(producer_snapshot(wrong)) << i;
    EXPECT_FALSE(producer_snapshot(Bytes(whole).first(i))) << i;
  }
}

TEST(ProducerSnapshot, OfWhatCannotBeKnownIsNotRead) {
  for (const std::size_t count : {0, 6, 70'000}) {
    const std::vector<ProducerEntry> all(1, {.producer_id = 4, .epoch = 2, .count = count});
    EXPECT_FALSE(producer_snapshot(to_bytes(all))) << count;
  }
  const std::vector<ProducerEntry> nobody(1, {.producer_id = -1, .epoch = 2, .count = 1});
  EXPECT_FALSE(producer_snapshot(to_bytes(nobody)));
}

// Batches of 11 MiB: six fill a segment.
class ProducersOfOlderSegments : public ::testing::Test {
 protected:
  OpenedLog open(std::int64_t producers_since_ms = 0) {
    storage_.reset();
    storage_ = *DiskStorage::open(folder_.path(), id_of(1));
    return *storage_->open(id_of(1), 0, producers_since_ms);
  }
  void append(PartitionLog& log, std::int64_t producer_id) {
    const std::int64_t at = log.offsets().end;
    const auto sequence = static_cast<std::int32_t>(sequences_[producer_id]++);
    const ProducerEntry after =
        states_.after({producer_id, 0, {sequence, sequence, at, at}}, written_ms);
    ASSERT_TRUE(log.append({.batch = {big_, Bytes(*big_)},
                            .range = {at, at, at},
                            .producer = &after,
                            .written_ms = written_ms,
                            .known = &states_}));
    states_.put(after);
  }
  void append_by(std::initializer_list<std::int64_t> producer_ids) {
    const auto log = open().log;
    for (const std::int64_t id : producer_ids) append(*log, id);
  }
  std::filesystem::path file(const char* name) const {
    return folder_.path() / "segments" / id_of(1).to_string() / "0" / name;
  }
  static void damage(const std::filesystem::path& path, std::streamoff at) {
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(at) << '\xff';
  }

  static constexpr std::int64_t written_ms = 50;
  static constexpr const char* second = "00000000000069206016.producers";

  ScratchFolder folder_;
  std::shared_ptr<DiskStorage> storage_;
  std::shared_ptr<Buffer> big_ = std::make_shared<Buffer>(std::size_t{11} << 20, std::uint8_t{7});
  ProducerStates states_;
  std::map<std::int64_t, int> sequences_;
};

TEST_F(ProducersOfOlderSegments, AreKnownAsIfAllHadBeenReadBack) {
  append_by({4, 5, 5, 5, 4, 4, 4, 5, 4, 4, 6, 6, 6, 4});
  const auto known = open().producers;
  EXPECT_EQ(known, states_.entries());
  EXPECT_EQ(known[0].count, ProducerEntry::kept);
}

TEST_F(ProducersOfOlderSegments, AreKnownWithoutReadingTheIndexesOfThose) {
  append_by({4, 5, 6, 4, 4, 4, 4});
  // One that is met neither at the edges nor on the way to the first offset.
  damage(file("00000000000000000000.index"), 4 * 72 + 5);
  EXPECT_EQ(open().producers, states_.entries());
}

TEST_F(ProducersOfOlderSegments, AreReadBackWhereTheSnapshotIsDamagedOrMissing) {
  append_by({4, 5, 4, 4, 4, 4, 6});
  const auto all = states_.entries();
  damage(file(second), 3);
  EXPECT_EQ(open().producers, all);
  std::filesystem::remove(file(second));
  EXPECT_EQ(open().producers, all);
}

TEST_F(ProducersOfOlderSegments, AreKnownAfterTheirBatchesWereTrimmed) {
  append_by({4, 5, 6, 4, 4, 4, 4});
  ASSERT_TRUE(open().log->trim(6));
  EXPECT_FALSE(std::filesystem::exists(file("00000000000000000000.producers")));
  EXPECT_EQ(open().producers, states_.entries());
}

TEST_F(ProducersOfOlderSegments, AreForgottenAsTheirTimeComes) {
  append_by({4, 5, 6, 4, 4, 4, 4});
  EXPECT_EQ(open(written_ms).producers, states_.entries());
  EXPECT_THAT(open(written_ms + 1).producers, IsEmpty());
}

// A segment that was begun twice, the first time by a process that ended at once.
TEST_F(ProducersOfOlderSegments, AreNoneOfAnEarlierTry) {
  append_by({4, 5, 4, 4, 4, 4});
  std::ofstream(file(second), std::ios::binary) << std::string(1000, 'x');
  append_by({6});
  EXPECT_EQ(std::filesystem::file_size(file(second)), 4 + 2 * 140 + 4);
  EXPECT_EQ(open().producers, states_.entries());
}

}  // namespace
}  // namespace muster::embedded::test
