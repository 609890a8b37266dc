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
  Partition partition(log, 1000);
  EXPECT_EQ(partition.append(checked(batch(2)), start_ms).base_offset, 0);

  partition.close();
  const Appended late = partition.append(checked(batch(2)), start_ms);

  EXPECT_EQ(late.error, Error::unknown_topic_or_partition);
  EXPECT_EQ(late.base_offset, -1);
  EXPECT_FALSE(late.stored);
  EXPECT_EQ(log->offsets().end, 2);
}

}  // namespace
}  // namespace muster::embedded::test
