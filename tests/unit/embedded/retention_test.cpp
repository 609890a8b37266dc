// What retention cuts, with time as a value; and that the broker does it.
#include <gtest/gtest.h>

#include <thread>

#include "kit.hpp"
#include "log/memory_log.hpp"
#include "topics/retention.hpp"

namespace muster::embedded::test {
namespace {

constexpr std::int64_t batch_size = 100;

class RetainedFrom : public ::testing::Test {
 protected:
  // A batch of two offsets.
  void append(std::int64_t timestamp) {
    const std::int64_t at = log_.offsets().end;
    auto bytes = std::make_shared<Buffer>(batch_size);
    ASSERT_TRUE(log_.append({.batch = {bytes, Bytes(*bytes)}, .range = {at, at + 1, timestamp}}));
  }
  std::int64_t start(const ConfigOverrides& configs, std::int64_t now_ms = 1000) const {
    return *retained_from(log_, *TopicConfig::make(configs, {}), now_ms);
  }

  MemoryLog log_;
};

TEST_F(RetainedFrom, KeepsWhatIsAsOldAsRetentionMsAndCutsWhatIsOlder) {
  for (const std::int64_t timestamp : {100, 200, 300}) append(timestamp);
  EXPECT_EQ(start({{"retention.ms", "900"}}), 0);
  EXPECT_EQ(start({{"retention.ms", "899"}}), 2);
  EXPECT_EQ(start({{"retention.ms", "700"}}), 4);
  EXPECT_EQ(start({{"retention.ms", "0"}}), 6);
  EXPECT_EQ(start({{"retention.ms", "-1"}}), 0);
}

TEST_F(RetainedFrom, EndsAtTheFirstBatchThatStays) {
  for (const std::int64_t timestamp : {100, 990, 100}) append(timestamp);
  EXPECT_EQ(start({{"retention.ms", "500"}}), 2);
}

TEST_F(RetainedFrom, NeverKeepsLessThanRetentionBytes) {
  for (int i = 0; i < 4; ++i) append(900);
  EXPECT_EQ(start({{"retention.bytes", "400"}}), 0);
  EXPECT_EQ(start({{"retention.bytes", "301"}}), 0);
  EXPECT_EQ(start({{"retention.bytes", "300"}}), 2);
  EXPECT_EQ(start({{"retention.bytes", "150"}}), 4);
  EXPECT_EQ(start({{"retention.bytes", "0"}}), 8);
  EXPECT_EQ(start({{"retention.bytes", "-1"}}), 0);
}

TEST_F(RetainedFrom, DoesNotCutACompactedTopic) {
  append(100);
  EXPECT_EQ(start({{"retention.ms", "1"}, {"cleanup.policy", "compact"}}), 0);
  EXPECT_EQ(start({{"retention.ms", "1"}, {"cleanup.policy", "compact,delete"}}), 2);
}

TEST_F(RetainedFrom, LooksThroughMoreBatchesThanOnePage) {
  for (int i = 0; i < 2500; ++i) append(100);
  append(999);
  EXPECT_EQ(start({{"retention.ms", "100"}}), 5000);
}

TEST(Retention, CutsLogsOfTheBrokerAsTimePasses) {
  BrokerRig rig({{"log.retention.check.interval.ms", "1"}});
  create(rig, "t", 1, {{"retention.ms", "1000"}});
  create(rig, "kept", 1, {{"retention.ms", "-1"}});
  produce(rig, "t", batch_at({start_ms}));
  produce(rig, "t", batch_at({start_ms + 500}));
  produce(rig, "kept", batch_at({start_ms}));

  rig.host.now_ms = start_ms + 1001;
  while (list_offset(rig, "t", -2).offset < 1) std::this_thread::yield();
  EXPECT_EQ(list_offset(rig, "t", -2).offset, 1);

  rig.host.now_ms = start_ms + 5000;
  while (list_offset(rig, "t", -2).offset < 2) std::this_thread::yield();
  EXPECT_EQ(list_offset(rig, "t", -1).offset, 2);
  EXPECT_EQ(list_offset(rig, "kept", -2).offset, 0);
  const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", 0), 12);
  EXPECT_EQ(fetched->responses[0].partitions[0].error_code,
            protocol::code(Error::offset_out_of_range));
}

}  // namespace
}  // namespace muster::embedded::test
