// Offsets that go without a request: of deleted topics, and by retention.
#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

OFFSETS_TESTS(OffsetExpiry);
OFFSETS_TESTS(DeletedTopics);

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t week = 7 * 24 * hour;

// Fires the retention timers of `ms` and gives the records of all of them.
Writes swept(OffsetsRig& rig, std::int64_t ms) {
  Writes out;
  for (const Outcome& outcome : rig.advance(ms)) {
    EXPECT_EQ(outcome.code, MUSTER_OK);
    for (const Write& write : outcome.records()) out.push_back(write);
  }
  return out;
}

TEST_P(OffsetExpiry, IsCheckedAtKafkasIntervalAgainAndAgain) {
  EXPECT_THAT(rig.timers, SizeIs(1));
  EXPECT_THAT(rig.advance(599'999), IsEmpty());
  EXPECT_THAT(rig.advance(1), SizeIs(1));
  EXPECT_THAT(rig.advance(600'000), SizeIs(1));
}

TEST_P(OffsetExpiry, IntervalAndRetentionAreOptions) {
  rig.close();
  rig.options.set("offsets.retention.check.interval.ms", "1000");
  rig.options.set("offsets.retention.minutes", "1");
  rig.open();
  rig.committed("g", {{"orders", 0, 1}});
  EXPECT_THAT(swept(rig, 59'999), IsEmpty());
  EXPECT_EQ(swept(rig, 1), (Writes{tombstone("g", "orders", 0)}));
}

TEST_P(OffsetExpiry, AVeryLongIntervalFitsTheTimer) {
  rig.close();
  rig.options.set("offsets.retention.check.interval.ms", "9223372036854775807");
  rig.open();
  EXPECT_THAT(rig.loaded.timers, SizeIs(1));
  EXPECT_EQ(rig.loaded.timers[0].after_ms, std::numeric_limits<std::uint32_t>::max());
}

TEST_P(OffsetExpiry, AGroupWithoutAProtocolExpiresFromItsCommits) {
  rig.committed("g", {{"orders", 0, 1}});
  swept(rig, hour);
  rig.committed("g", {{"orders", 1, 1}});
  EXPECT_THAT(swept(rig, week - 2 * hour), IsEmpty());
  EXPECT_EQ(swept(rig, hour), (Writes{tombstone("g", "orders", 0)}));
  EXPECT_EQ(swept(rig, hour), (Writes{tombstone("g", "orders", 1)}));
  EXPECT_THAT(swept(rig, hour), IsEmpty());
}

TEST_P(OffsetExpiry, AnExplicitRetentionCountsFromTheCommitWhateverTheGroup) {
  auto request = rig.commit_request("g", {{"orders", 0, 1}});
  request.retention_time_ms = 1;
  rig.commit(request, 4);
  rig.committed("g", {{"orders", 1, 1}});
  EXPECT_EQ(swept(rig, 10 * minute), (Writes{tombstone("g", "orders", 0)}));
}

TEST_P(OffsetExpiry, ALongExplicitRetentionOutlivesTheUsualOne) {
  auto request = rig.commit_request("g", {{"orders", 0, 1}});
  request.retention_time_ms = 2 * week;
  rig.commit(request, 4);
  EXPECT_THAT(swept(rig, 2 * week - hour), IsEmpty());
  EXPECT_EQ(swept(rig, hour), (Writes{tombstone("g", "orders", 0)}));
}

TEST_P(OffsetExpiry, RetentionCountsFromTheStoredCommitAfterAReload) {
  rig.committed("g", {{"orders", 0, 1}});
  swept(rig, week - hour);
  rig.reload();
  EXPECT_EQ(swept(rig, hour), (Writes{tombstone("g", "orders", 0)}));
}

TEST_P(OffsetExpiry, OnlyTopicsThatTheGroupDoesNotSubscribeExpire) {
  FakeOwner consumer{"consumer"};
  consumer.remove_error = protocol::code(Error::non_empty_group);
  consumer.subscribed = {"orders"};
  rig.own("g", consumer);
  rig.committed("g", {{"orders", 0, 1}, {"payments", 0, 1}});
  EXPECT_EQ(swept(rig, week), (Writes{tombstone("g", "payments", 0)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

TEST_P(OffsetExpiry, OwnersMayCountFromATimeOfTheirOwn) {
  FakeOwner classic{"classic"};
  classic.remove_error = protocol::code(Error::non_empty_group);
  classic.expires_how = MUSTER_EXPIRES_FROM_TIME;
  classic.expires_unsubscribed_only = false;
  classic.subscribed = {"orders"};
  rig.own("g", classic);
  rig.committed("g", {{"orders", 0, 1}});
  classic.expires_from_ms = rig.host.now_ms + hour;
  EXPECT_THAT(swept(rig, week), IsEmpty());
  EXPECT_EQ(swept(rig, hour), (Writes{tombstone("g", "orders", 0)}));
}

TEST_P(OffsetExpiry, OwnersMaySayNever) {
  FakeOwner classic{"classic"};
  classic.expires_how = MUSTER_EXPIRES_NEVER;
  rig.own("g", classic);
  rig.own("without offsets", classic);
  rig.committed("g", {{"orders", 0, 1}});
  EXPECT_THAT(swept(rig, 2 * week), IsEmpty());
  EXPECT_THAT(classic.removed, IsEmpty());
}

TEST_P(OffsetExpiry, AGroupLeftWithoutOffsetsIsRemovedByItsOwnerInTheSameBatch) {
  FakeOwner consumer{"consumer"};
  const Buffer group_key{0, 3, 0, 1, 'g'};
  consumer.remove_writes = {{"consumer", false, group_key, std::nullopt}};
  rig.own("g", consumer);
  rig.committed("g", {{"orders", 0, 1}});
  EXPECT_THAT(swept(rig, 10 * minute), IsEmpty());
  rig.advance(week - 20 * minute);
  EXPECT_EQ(swept(rig, 10 * minute), (Writes{tombstone("g", "orders", 0),
                                             Write{"consumer", false, group_key, std::nullopt}}));
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(OffsetExpiry, AGroupThatNeverHadOffsetsIsOfferedForRemovalToo) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  swept(rig, 10 * minute);
  EXPECT_EQ(consumer.removed, (Names{"g"}));
}

TEST_P(OffsetExpiry, IdsOfNoLoadedPluginAreLeftAlone) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.own_by_unknown("g");
  EXPECT_THAT(swept(rig, 2 * week), IsEmpty());
}

TEST_P(OffsetExpiry, AnExpiredGroupWithoutAProtocolIsGone) {
  rig.committed("g", {{"orders", 0, 1}});
  swept(rig, week);
  auto request = rig.commit_request("g", {{"orders", 0, 1}});
  request.generation_id_or_member_epoch = 1;
  EXPECT_EQ(rig.commit(request), (Verdicts{verdict("orders", 0, Error::group_id_not_found)}));
}

TEST_P(OffsetExpiry, ALongSweepIsDoneInBoundedStepsOneSoonAfterTheOther) {
  rig.close();
  rig.options.set("offsets.retention.check.interval.ms", std::to_string(week));
  rig.open();
  rig.metadata.put("wide", {.partitions = 30'000, .id = 8});
  const std::string group(40, 'g');
  std::vector<Line> lines;
  for (std::int32_t p = 0; p < 30'000; ++p) lines.push_back({"wide", p, p});
  rig.committed(group, lines);
  const std::vector<Outcome> steps = rig.advance(week + 1000);
  ASSERT_THAT(steps, SizeIs(4));
  std::size_t total = 0;
  for (const Outcome& step : steps) {
    std::size_t bytes = 0;
    for (const Write& write : step.writes) bytes += write.key.size();
    EXPECT_LT(bytes, 600U << 10);
    total += step.records().size();
  }
  EXPECT_EQ(total, 30'000U);
  EXPECT_THAT(rig.shard.stored, IsEmpty());
}

TEST_P(DeletedTopics, TakeTheirOffsetsWithThemFromEveryGroup) {
  rig.committed("g", {{"orders", 0, 1}, {"payments", 0, 1}});
  rig.committed("h", {{"orders", 2, 1}});
  FakeOwner consumer{"consumer"};
  consumer.subscribed = {"orders"};
  rig.own("h", consumer);
  rig.metadata.remove("orders");
  EXPECT_EQ(rig.on_metadata().records(),
            (Writes{tombstone("g", "orders", 0), tombstone("h", "orders", 2)}));
  EXPECT_EQ(rig.fetch("g", "payments", 0), 1);
}

TEST_P(DeletedTopics, KeepOffsetsOfAnotherTopicOfTheName) {
  rig.close();
  rig.store(offset_key("g", "orders", 0), offset_value({1, -1, "", 1, -1, topic_id(9)}));
  rig.store(offset_key("g", "orders", 1), offset_value({1, -1, "", 1, -1, topic_id(1)}));
  rig.store(offset_key("g", "orders", 2), offset_value({1, -1, "", 1, -1, {}}));
  rig.open();
  rig.metadata.remove("orders");
  rig.metadata.put("orders", {.partitions = 3, .id = 9});
  EXPECT_EQ(rig.on_metadata().records(),
            (Writes{tombstone("g", "orders", 2), tombstone("g", "orders", 1)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

TEST_P(DeletedTopics, OtherChangesOfMetadataTouchNothing) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.metadata.put("orders", {.partitions = 5, .id = 1});
  rig.metadata.put("new");
  rig.metadata.remove("payments");
  const Outcome outcome = rig.on_metadata();
  EXPECT_THAT(outcome.writes, IsEmpty());
  EXPECT_THAT(outcome.timers, IsEmpty());
}

TEST_P(DeletedTopics, LeaveAGroupWithoutAProtocolKnownUntilTheNextCheck) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.metadata.remove("orders");
  rig.on_metadata();
  const auto commit_as_member = [&] {
    auto request = rig.commit_request("g", {{"payments", 0, 1}});
    request.generation_id_or_member_epoch = 1;
    return rig.commit(request);
  };
  EXPECT_EQ(commit_as_member(), (Verdicts{verdict("payments", 0, Error::unknown_member_id)}));
  rig.advance(10 * minute);
  EXPECT_EQ(commit_as_member(), (Verdicts{verdict("payments", 0, Error::group_id_not_found)}));
}

TEST_P(DeletedTopics, WithVeryManyOffsetsGoInBoundedSteps) {
  rig.metadata.put("wide", {.partitions = 30'000, .id = 8});
  const std::string group(40, 'g');
  std::vector<Line> lines;
  for (std::int32_t p = 0; p < 30'000; ++p) lines.push_back({"wide", p, p});
  lines.push_back({"orders", 0, 1});
  rig.committed(group, lines);
  rig.metadata.take_changes();
  rig.metadata.remove("wide");
  std::size_t total = rig.on_metadata().records().size();
  EXPECT_LT(total, 30'000U);
  EXPECT_THAT(rig.timers, UnorderedElementsAre(Key("retention"), Key("deleted topics")));
  for (const Outcome& step : rig.advance(1000)) total += step.records().size();
  EXPECT_EQ(total, 30'000U);
  EXPECT_THAT(rig.timers, ElementsAre(Key("retention")));
  EXPECT_EQ(rig.digest(MUSTER_DIGEST_NOTED), Buffer{});
  EXPECT_EQ(rig.fetch(group, "orders", 0), 1);
}

TEST_P(OffsetExpiry, VeryManyGroupsWithoutOffsetsGoInBoundedStepsToo) {
  FakeOwner consumer{"consumer"};
  for (int i = 0; i < 10'000; ++i) rig.own(std::string(100, 'g') + std::to_string(i), consumer);
  rig.advance(10 * minute);
  EXPECT_FALSE(consumer.removed.empty());
  EXPECT_LT(consumer.removed.size(), 2'000U);
  EXPECT_EQ(rig.timers.at("retention"), rig.host.now_ms + 1);
}

}  // namespace
}  // namespace muster::offsets
