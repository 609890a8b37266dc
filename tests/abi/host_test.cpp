// The host's services, there and missing.
#include <muster/sdk/host.hpp>
#include <muster/testing/fake_metadata.hpp>
#include <muster/testing/rig_host.hpp>

#include <gtest/gtest.h>

namespace {

namespace sdk = muster::sdk;

TEST(SdkHost, WithoutServicesLogsAndCountsNothingAndFailsTheRest) {
  const muster_host bare{sizeof bare, 0,
                         1,           nullptr,
                         nullptr,     [](void*, muster_str) -> const void* { return nullptr; }};
  const sdk::Host host{&bare};
  EXPECT_EQ(host.version(), "");
  EXPECT_NO_THROW(host.info("nobody listens"));
  EXPECT_NO_THROW(host.counter("c", "help").add(1));
  EXPECT_THROW((void)host.wall_ms(), sdk::Failure);
  EXPECT_THROW((void)host.random_uuid(), sdk::Failure);
  EXPECT_THROW((void)host.metadata(), sdk::Failure);
  EXPECT_THROW((void)host.node_id(), sdk::Failure);
  EXPECT_THROW((void)host.data_folder(), sdk::Failure);
  EXPECT_THROW(
      (void)host.allowed({"User:a", "/h"}, sdk::Operation::read, sdk::Resource::group, "g"),
      sdk::Failure);
}

class SdkHostOfARig : public testing::Test {
 protected:
  muster::testing::FakeMetadata topics;
  muster::testing::RigHost rig{&topics};
  const sdk::Host host{rig.table()};
};

TEST_F(SdkHostOfARig, LogsWhatIsJoined) {
  host.warn("group ", "g", " waits ", 5, " ms");
  ASSERT_EQ(rig.log_lines.size(), 1U);
  EXPECT_EQ(rig.log_lines[0].first, MUSTER_LOG_WARN);
  EXPECT_EQ(rig.log_lines[0].second, "group g waits 5 ms");
}

TEST_F(SdkHostOfARig, RandomUuidsAreVersion4AndDiffer) {
  const sdk::Uuid one = host.random_uuid();
  EXPECT_EQ(one.bytes[6] >> 4, 4);
  EXPECT_EQ(one.bytes[8] >> 6, 2);
  EXPECT_NE(one, host.random_uuid());
}

TEST_F(SdkHostOfARig, AsksTheAuthoriser) {
  rig.denied.push_back({3, 3, "secret"});  // READ of a GROUP
  const sdk::Principal who{"User:a", "/127.0.0.1"};
  EXPECT_FALSE(host.allowed(who, sdk::Operation::read, sdk::Resource::group, "secret"));
  EXPECT_TRUE(host.allowed(who, sdk::Operation::describe, sdk::Resource::group, "secret"));
}

TEST_F(SdkHostOfARig, SaysWhereDataLiesOrThatNothingIsKept) {
  EXPECT_THROW((void)host.data_folder(), sdk::Failure);
  rig.data_folder = "/somewhere";
  EXPECT_EQ(host.data_folder(), "/somewhere");
}

TEST_F(SdkHostOfARig, ReadsTopicsAndTheirRacks) {
  const muster_uuid id = topics.put("t", {.partitions = 2, .racks = {{"a", "b"}, {}}});
  const auto snapshot = host.metadata();
  const sdk::Metadata metadata = *snapshot;
  EXPECT_EQ(metadata.size(), 1U);
  EXPECT_FALSE(metadata.by_name("u").has_value());
  ASSERT_TRUE(metadata.by_id(sdk::to_uuid(id)).has_value());
  const sdk::Topic topic = metadata.at(0);
  EXPECT_EQ(topic.name(), "t");
  EXPECT_EQ(topic.partition_count(), 2U);
  EXPECT_EQ(topic.racks(0).size(), 2U);
  EXPECT_EQ(topic.racks(0)[1], "b");
  EXPECT_TRUE(topic.racks(1).empty());
  EXPECT_TRUE(topic.racks(2).empty());
}

}  // namespace
