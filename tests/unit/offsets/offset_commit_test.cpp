// OffsetCommit: what is written, what is refused, and where the error stands.
#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

OFFSETS_TESTS(OffsetCommit);

constexpr std::int32_t read = 3;
constexpr std::int32_t topic_resource = 2;
constexpr std::int32_t group_resource = 3;

Write written(std::string_view group, std::string_view topic, std::int32_t partition,
              const protocol::OffsetCommitValue& value, std::int16_t version = 4) {
  return {"offsets", false, offset_key(group, topic, partition), offset_value(value, version)};
}

TEST_P(OffsetCommit, WritesOneRecordForEachPartitionAsKafkaDoes) {
  const auto request = rig.commit_request(
      "g", {{"orders", 0, 100, "m", 7}, {"orders", 2, -7, std::nullopt}, {"payments", 1, 5}});
  const Outcome outcome = rig.decide(spec_of(request, 9));
  const std::int64_t now = rig.host.now_ms;
  EXPECT_EQ(outcome.writes,
            (Writes{written("g", "orders", 0, {100, 7, "m", now, -1, topic_id(1)}),
                    written("g", "orders", 2, {-7, -1, "", now, -1, topic_id(1)}),
                    written("g", "payments", 1, {5, -1, "", now, -1, topic_id(2)})}));
}

TEST_P(OffsetCommit, RecordBytesAreThoseOfKafka) {
  rig.host.now_ms = 0x0102030405060708;
  const auto request = rig.commit_request("g", {{"orders", 1, 9, "x", 3}});
  const Outcome outcome = rig.decide(spec_of(request, 9));
  ASSERT_THAT(outcome.writes, SizeIs(1));
  EXPECT_THAT(outcome.writes[0].key,
              ElementsAre(0, 1, 0, 1, 'g', 0, 6, 'o', 'r', 'd', 'e', 'r', 's', 0, 0, 0, 1));
  EXPECT_THAT(*outcome.writes[0].value,
              ElementsAre(0, 4, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 3, 2, 'x', 1, 2, 3, 4, 5, 6, 7, 8,
                          1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
}

TEST_P(OffsetCommit, EveryVersionCommitsAndAnswersByNameOrById) {
  for (std::int16_t version = 2; version <= 10; ++version) {
    const std::string group = "g" + std::to_string(version);
    const std::string name = version >= 10 ? "#1" : "orders";
    EXPECT_EQ(rig.commit(group, {{"orders", 0, version}}, version), (Verdicts{verdict(name, 0)}));
    EXPECT_EQ(rig.fetch(group, "orders", 0), version);
  }
}

TEST_P(OffsetCommit, ExplicitRetentionOfOldVersionsIsStoredAsAnExpiryInValueVersion1) {
  for (const std::int16_t version : {2, 3, 4}) {
    auto request = rig.commit_request("g", {{"orders", 0, 1, "m"}});
    request.retention_time_ms = 5000;
    const Outcome outcome = rig.decide(spec_of(request, version));
    const std::int64_t now = rig.host.now_ms;
    EXPECT_EQ(outcome.writes,
              (Writes{written("g", "orders", 0, {1, -1, "m", now, now + 5000, {}}, 1)}));
  }
}

TEST_P(OffsetCommit, DefaultRetentionOfOldVersionsIsNoExpiry) {
  const auto request = rig.commit_request("g", {{"orders", 0, 1}});
  const Outcome outcome = rig.decide(spec_of(request, 2));
  const std::int64_t now = rig.host.now_ms;
  EXPECT_EQ(outcome.writes, (Writes{written("g", "orders", 0, {1, -1, "", now, -1, topic_id(1)})}));
}

TEST_P(OffsetCommit, AbsurdRetentionWrapsInsteadOfFailing) {
  auto request = rig.commit_request("g", {{"orders", 0, 1}});
  request.retention_time_ms = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(rig.commit(request, 4), (Verdicts{verdict("orders", 0)}));
}

TEST_P(OffsetCommit, UnknownPartitionsFailAloneAndTheOthersAreStored) {
  EXPECT_EQ(
      rig.commit("g", {{"orders", 0, 1}, {"orders", 3, 1}, {"orders", -1, 1}, {"ghost", 0, 1}}),
      (Verdicts{verdict("orders", 3, Error::unknown_topic_or_partition),
                verdict("orders", -1, Error::unknown_topic_or_partition), verdict("orders", 0),
                verdict("ghost", 0, Error::unknown_topic_or_partition)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

TEST_P(OffsetCommit, AnUnknownTopicIdFailsAloneInVersion10) {
  EXPECT_EQ(rig.commit("g", {{"ghost", 0, 1}, {"orders", 1, 4}, {"orders", 9, 4}}, 10),
            (Verdicts{verdict("#99", 0, Error::unknown_topic_id),
                      verdict("#1", 9, Error::unknown_topic_or_partition), verdict("#1", 1)}));
  EXPECT_EQ(rig.fetch("g", "orders", 1), 4);
}

TEST_P(OffsetCommit, TopicsWithAnEarlyErrorComeFirstAndRepeatedTopicsAreMergedThen) {
  EXPECT_EQ(
      rig.commit("g", {{"payments", 0, 1}, {"orders", 0, 1}, {"payments", 1, 1}, {"orders", 7, 1}}),
      (Verdicts{verdict("orders", 7, Error::unknown_topic_or_partition), verdict("orders", 0),
                verdict("payments", 0), verdict("payments", 1)}));
}

TEST_P(OffsetCommit, WithoutAValidPartitionTheGroupIsNotEvenAsked) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  EXPECT_EQ(rig.commit("g", {{"ghost", 0, 1}}),
            (Verdicts{verdict("ghost", 0, Error::unknown_topic_or_partition)}));
  EXPECT_THAT(consumer.commits, IsEmpty());
}

TEST_P(OffsetCommit, MetadataIsLimitedInUtf16UnitsPerPartition) {
  const std::string fits(4096, 'a');
  const std::string too_long(4097, 'a');
  std::string three_bytes_each;
  std::string two_units_each;
  for (int i = 0; i < 4096; ++i) three_bytes_each += "\xE2\x82\xAC";
  for (int i = 0; i < 2049; ++i) two_units_each += "\xF0\x9F\x98\x80";
  EXPECT_EQ(
      rig.commit("g", {{"orders", 0, 1, fits},
                       {"orders", 1, 1, too_long},
                       {"orders", 2, 1, three_bytes_each},
                       {"payments", 0, 1, two_units_each}}),
      (Verdicts{verdict("orders", 0), verdict("orders", 1, Error::offset_metadata_too_large),
                verdict("orders", 2), verdict("payments", 0, Error::offset_metadata_too_large)}));
  EXPECT_EQ(rig.fetch("g", "orders", 1), -1);
}

TEST_P(OffsetCommit, TheMetadataLimitIsAnOption) {
  rig.options.set("offset.metadata.max.bytes", "3");
  EXPECT_EQ(
      rig.commit("g", {{"orders", 0, 1, "abc"}, {"orders", 1, 1, "abcd"}}),
      (Verdicts{verdict("orders", 0), verdict("orders", 1, Error::offset_metadata_too_large)}));
}

TEST_P(OffsetCommit, AnUnauthorisedGroupIsRefusedBeforeTopicsAreLookedAt) {
  rig.host.denied = {{read, group_resource, "g"}};
  for (const std::int16_t version : {2, 9, 10}) {
    const std::string ghost = version == 10 ? "#99" : "ghost";
    const std::string orders = version == 10 ? "#1" : "orders";
    EXPECT_EQ(rig.commit("g", {{"ghost", 0, 1}, {"orders", 0, 1}}, version),
              (Verdicts{verdict(ghost, 0, Error::group_authorization_failed),
                        verdict(orders, 0, Error::group_authorization_failed)}));
  }
  EXPECT_THAT(rig.shard.stored, IsEmpty());
}

TEST_P(OffsetCommit, AnUnauthorisedTopicFailsAloneEvenIfItDoesNotExist) {
  rig.host.denied = {{read, topic_resource, "orders"}, {read, topic_resource, "ghost"}};
  EXPECT_EQ(
      rig.commit("g", {{"orders", 0, 1}, {"ghost", 0, 1}, {"payments", 0, 1}}),
      (Verdicts{verdict("orders", 0, Error::topic_authorization_failed),
                verdict("ghost", 0, Error::topic_authorization_failed), verdict("payments", 0)}));
  EXPECT_EQ(rig.commit("g", {{"orders", 0, 1}, {"ghost", 0, 1}, {"payments", 0, 1}}, 10),
            (Verdicts{verdict("#1", 0, Error::topic_authorization_failed),
                      verdict("#99", 0, Error::unknown_topic_id), verdict("#2", 0)}));
}

TEST_P(OffsetCommit, AnUnknownGroupWithAGenerationIsRefusedByVersion) {
  auto request = rig.commit_request("ghost group", {{"orders", 0, 1}});
  request.generation_id_or_member_epoch = 0;
  EXPECT_EQ(rig.commit(request, 8), (Verdicts{verdict("orders", 0, Error::illegal_generation)}));
  EXPECT_EQ(rig.commit(request, 9), (Verdicts{verdict("orders", 0, Error::group_id_not_found)}));
  EXPECT_EQ(rig.commit(request, 10), (Verdicts{verdict("#1", 0, Error::group_id_not_found)}));
  EXPECT_THAT(rig.shard.stored, IsEmpty());
}

TEST_P(OffsetCommit, AGroupOfOffsetsAloneHasNoMembers) {
  rig.committed("g", {{"orders", 0, 1}});
  auto request = rig.commit_request("g", {{"orders", 0, 2}});
  request.generation_id_or_member_epoch = 0;
  request.member_id = "m";
  for (const std::int16_t version : {8, 9}) {
    EXPECT_EQ(rig.commit(request, version),
              (Verdicts{verdict("orders", 0, Error::unknown_member_id)}));
  }
}

// A consumer that assigns itself partitions sends its instance id along.
TEST_P(OffsetCommit, AnInstanceIdWithoutAGenerationIsASimpleCommit) {
  auto request = rig.commit_request("g", {{"orders", 0, 2}});
  request.group_instance_id = "i";
  EXPECT_EQ(rig.commit(request), (Verdicts{verdict("orders", 0)}));
}

TEST_P(OffsetCommit, TheEmptyGroupIdIsAGroupToo) {
  rig.committed("", {{"orders", 0, 2}});
  EXPECT_EQ(rig.fetch("", "orders", 0), 2);
}

TEST_P(OffsetCommit, TheOwnerIsAskedOnceWithEverythingItJudgesBy) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  auto request = rig.commit_request("g", {{"orders", 0, 1}, {"payments", 1, 1}});
  request.generation_id_or_member_epoch = 4;
  request.member_id = "m";
  request.group_instance_id = "i";
  rig.commit(request, 9);
  ASSERT_THAT(consumer.commits, SizeIs(1));
  const FakeOwner::Commit& asked = consumer.commits[0];
  EXPECT_EQ(asked.api_key, 8);
  EXPECT_EQ(asked.version, 9);
  EXPECT_EQ(asked.group, "g");
  EXPECT_EQ(asked.member, "m");
  EXPECT_EQ(asked.instance, "i");
  EXPECT_EQ(asked.epoch, 4);
  EXPECT_THAT(asked.partitions, ElementsAre(std::pair{"orders", 0}, std::pair{"payments", 1}));
  EXPECT_EQ(asked.topic_ids[1].bytes[15], 2);
}

TEST_P(OffsetCommit, NoInstanceIdReachesTheOwnerAsNull) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  rig.commit("g", {{"orders", 0, 1}});
  EXPECT_FALSE(consumer.commits.at(0).has_instance);
}

TEST_P(OffsetCommit, PartitionsThatTheOwnerRefusesFailAndTheOthersAreStored) {
  FakeOwner streams{"streams"};
  streams.partition_errors[{"orders", 1}] = protocol::code(Error::stale_member_epoch);
  rig.own("g", streams);
  EXPECT_EQ(rig.commit("g", {{"orders", 0, 5}, {"orders", 1, 5}}),
            (Verdicts{verdict("orders", 0), verdict("orders", 1, Error::stale_member_epoch)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 5);
  EXPECT_EQ(rig.fetch("g", "orders", 1), -1);
}

TEST_P(OffsetCommit, AFencedMemberStoresNothingAndEarlyErrorsStay) {
  FakeOwner consumer{"consumer"};
  consumer.commit_error = protocol::code(Error::fenced_instance_id);
  rig.own("g", consumer);
  const std::string too_long(5000, 'a');
  EXPECT_EQ(rig.commit("g", {{"orders", 0, 5}, {"orders", 1, 5, too_long}, {"ghost", 0, 5}}),
            (Verdicts{verdict("ghost", 0, Error::unknown_topic_or_partition),
                      verdict("orders", 0, Error::fenced_instance_id),
                      verdict("orders", 1, Error::fenced_instance_id)}));
  EXPECT_THAT(rig.shard.stored, IsEmpty());
}

TEST_P(OffsetCommit, AMemberThatMayCommitStillGetsItsMetadataRefused) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  const std::string too_long(5000, 'a');
  EXPECT_EQ(
      rig.commit("g", {{"orders", 0, 5}, {"orders", 1, 5, too_long}}),
      (Verdicts{verdict("orders", 0), verdict("orders", 1, Error::offset_metadata_too_large)}));
  EXPECT_THAT(consumer.commits.at(0).partitions, ElementsAre(std::pair{"orders", 0}));
}

TEST_P(OffsetCommit, AMemberThatMayNotIsToldSoThoughAllItsMetadataIsTooLong) {
  FakeOwner consumer{"consumer"};
  consumer.commit_error = protocol::code(Error::unknown_member_id);
  rig.own("g", consumer);
  const std::string too_long(5000, 'a');
  EXPECT_EQ(rig.commit("g", {{"orders", 0, 5, too_long}}),
            (Verdicts{verdict("orders", 0, Error::unknown_member_id)}));
}

TEST_P(OffsetCommit, AnIdWhoseRecordsNobodyReadsTakesNoCommits) {
  rig.own_by_unknown("g");
  EXPECT_EQ(rig.commit("g", {{"orders", 0, 5}}),
            (Verdicts{verdict("orders", 0, Error::group_id_not_found)}));
  auto request = rig.commit_request("g", {{"orders", 0, 5}});
  request.generation_id_or_member_epoch = 3;
  EXPECT_EQ(rig.commit(request, 8), (Verdicts{verdict("orders", 0, Error::illegal_generation)}));
  EXPECT_THAT(rig.shard.stored, IsEmpty());
}

TEST_P(OffsetCommit, ABodyThatEndsTooEarlyClosesTheConnection) {
  RequestSpec spec = spec_of(rig.commit_request("g", {{"orders", 0, 5}}), 9);
  spec.body.resize(spec.body.size() - 3);
  spec.connection = 42;
  const Outcome outcome = rig.decide(spec);
  EXPECT_EQ(outcome.code, MUSTER_OK);
  EXPECT_THAT(outcome.closed, ElementsAre(42));
  EXPECT_THAT(outcome.writes, IsEmpty());
}

}  // namespace
}  // namespace muster::offsets
