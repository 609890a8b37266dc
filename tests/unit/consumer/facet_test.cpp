// What other protocols ask about a consumer group: commits, fetches, subscriptions, removal.
#include <gmock/gmock.h>
#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>

#include <cstring>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Errors = std::vector<Error>;

constexpr std::int16_t offset_commit = 8;
constexpr std::int16_t txn_offset_commit = 28;

struct Committing {
  std::string member = "m1";
  std::int32_t epoch = 3;
  std::int16_t api_key = offset_commit;
  std::int16_t version = 9;
  bool by_name = false;
  std::string group = "g";
  std::vector<std::pair<std::string, std::int32_t>> partitions = {{"foo", 0}};
};

class ConsumerGroupFacet : public ::testing::TestWithParam<Door> {
 protected:
  // m1 has foo:0,1 since epoch 2 and is at epoch 3, m2 has foo:2,3 since epoch 3.
  void SetUp() override {
    rig.topic("foo", 4);
    rig.beat(joins("m1", {"foo"}));
    rig.pass(1000);
    rig.beat(joins("m2", {"foo"}));
    rig.beat(beats("m1", 2).owns("foo:0,1"));
    rig.beat(beats("m2", 3));
  }
  const muster_group_facet_v1& facet() { return *rig.table()->facet; }
  void* shard() { return rig.shard_object(); }

  std::vector<Error> commit(const Committing& by) {
    std::vector<muster_topic_partition> partitions;
    for (const auto& [topic, partition] : by.partitions) {
      muster_topic_partition one{{}, testing::to_str(topic), partition};
      if (!by.by_name) {
        std::memcpy(one.topic_id.bytes, rig.topics.id_of(topic).bytes.data(), 16);
      }
      partitions.push_back(one);
    }
    const auto count = static_cast<std::uint32_t>(partitions.size());
    const muster_commit table{sizeof table,
                              by.api_key,
                              by.version,
                              testing::to_str(by.group),
                              testing::to_str(by.member),
                              {nullptr, 0},
                              by.epoch,
                              partitions.data(),
                              count};
    std::vector<std::int16_t> errors(count, 99);
    testing::Outcome outcome;
    testing::FakeDecision decision("consumer", &outcome);
    EXPECT_EQ(facet().check_commit(shard(), &table, errors.data(), decision.table()), MUSTER_OK);
    EXPECT_THAT(outcome.timers, IsEmpty());
    std::vector<Error> out;
    for (const std::int16_t error : errors) out.push_back(static_cast<Error>(error));
    return out;
  }
  Error fetch(std::optional<std::string_view> member, std::int32_t epoch) {
    const muster_str by = member ? testing::to_str(*member) : muster_str{nullptr, 0};
    return static_cast<Error>(facet().check_fetch(shard(), testing::to_str("g"), by, epoch));
  }

  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupFacet);

TEST_P(ConsumerGroupFacet, TheMembersOwnEpochCommitsAnything) {
  EXPECT_THAT(commit({.partitions = {{"foo", 0}, {"foo", 3}}}), Each(Error::none));
}

TEST_P(ConsumerGroupFacet, AnOlderEpochCommitsWhatWasAssignedSince) {
  EXPECT_THAT(commit({.epoch = 2, .partitions = {{"foo", 0}, {"foo", 1}}}), Each(Error::none));
  EXPECT_EQ(commit({.epoch = 2, .by_name = true}), (Errors{Error::none}));
}

TEST_P(ConsumerGroupFacet, OnePartitionAssignedLaterFailsTheWholeCommit) {
  EXPECT_EQ(commit({.epoch = 1, .partitions = {{"foo", 0}, {"foo", 1}}}),
            (Errors{Error::stale_member_epoch, Error::stale_member_epoch}));
  EXPECT_EQ(commit({.epoch = 2, .partitions = {{"foo", 0}, {"foo", 2}}}),
            (Errors{Error::stale_member_epoch, Error::stale_member_epoch}));
  EXPECT_EQ(commit({.member = "m2", .epoch = 2, .partitions = {{"foo", 2}}}),
            (Errors{Error::stale_member_epoch}));
}

TEST_P(ConsumerGroupFacet, WhatIsPendingRevocationMayStillBeCommitted) {
  rig.topic("bar", 4);
  rig.pass(1000);
  rig.send(beats("m1", 3).with_topics({"bar"}));
  rig.finish();
  EXPECT_EQ(commit({.epoch = 2}), (Errors{Error::none}));
}

TEST_P(ConsumerGroupFacet, ANewerEpochIsStale) {
  EXPECT_EQ(commit({.epoch = 4}), (Errors{Error::stale_member_epoch}));
}

TEST_P(ConsumerGroupFacet, AMemberCommitsFromVersionNineOn) {
  EXPECT_EQ(commit({.version = 8}), (Errors{Error::unsupported_version}));
}

TEST_P(ConsumerGroupFacet, AnUnknownMemberMayNotCommit) {
  EXPECT_EQ(commit({.member = "m9"}), (Errors{Error::unknown_member_id}));
  EXPECT_EQ(commit({.member = "", .epoch = -1}), (Errors{Error::unknown_member_id}));
}

TEST_P(ConsumerGroupFacet, WithoutMembersAnybodyWithoutAnEpochMayCommit) {
  rig.beat(leaves("m1"));
  rig.beat(leaves("m2"));
  EXPECT_EQ(commit({.member = "", .epoch = -1, .version = 2}), (Errors{Error::none}));
  EXPECT_EQ(commit({.member = "", .epoch = 0}), (Errors{Error::unknown_member_id}));
}

TEST_P(ConsumerGroupFacet, ATransactionThatNamesNobodyIsNotChecked) {
  EXPECT_EQ(commit({.member = "", .epoch = -1, .api_key = txn_offset_commit, .version = 5}),
            (Errors{Error::none}));
}

TEST_P(ConsumerGroupFacet, TransactionsLearnOfStaleEpochsFromVersionSixOn) {
  Committing late{.epoch = 1, .api_key = txn_offset_commit, .version = 6};
  EXPECT_EQ(commit(late), (Errors{Error::stale_member_epoch}));
  late.version = 5;
  EXPECT_EQ(commit(late), (Errors{Error::illegal_generation}));
  late.epoch = 3;
  late.version = 3;
  EXPECT_EQ(commit(late), (Errors{Error::none}));
}

TEST_P(ConsumerGroupFacet, AFetchNeedsTheMembersEpochOrNobodysName) {
  EXPECT_EQ(fetch("m1", 3), Error::none);
  EXPECT_EQ(fetch("m1", 2), Error::stale_member_epoch);
  EXPECT_EQ(fetch("m1", 4), Error::stale_member_epoch);
  EXPECT_EQ(fetch("m9", 3), Error::unknown_member_id);
  EXPECT_EQ(fetch(std::nullopt, -1), Error::none);
  EXPECT_EQ(fetch(std::nullopt, 0), Error::unknown_member_id);
  EXPECT_EQ(fetch("", -1), Error::unknown_member_id);
}

TEST_P(ConsumerGroupFacet, SubscriptionsAreNamesAndMatches) {
  rig.topic("matched", 1);
  rig.send(joins_regex("m3", "match.*"));
  const auto subscribes = [&](std::string_view topic) {
    return facet().subscribes(shard(), testing::to_str("g"), testing::to_str(topic));
  };
  EXPECT_EQ(subscribes("foo"), 1);
  EXPECT_EQ(subscribes("matched"), 0);
  rig.match();
  EXPECT_EQ(subscribes("matched"), 1);
  EXPECT_EQ(subscribes("other"), 0);
  rig.beat(leaves("m3"));
  EXPECT_EQ(subscribes("matched"), 0);
}

TEST_P(ConsumerGroupFacet, AGroupWithMembersIsNotRemoved) {
  EXPECT_THROW(rig.remove_group("g"), std::logic_error);
  EXPECT_EQ(rig.owner_of("g"), "consumer");
}

TEST_P(ConsumerGroupFacet, AnEmptyGroupIsRemovedByTombstonesInKafkasOrder) {
  rig.beat(leaves("m1"));
  rig.beat(leaves("m2"));
  EXPECT_EQ(rig.stored(rig.remove_group("g")), (Lines{"-6", "-4", "-3"}));
  EXPECT_EQ(rig.owner_of("g"), "");
  EXPECT_THAT(rig.all_stored(), IsEmpty());
  EXPECT_EQ(rig.send(beats("m1", 3))->error, 69);
  EXPECT_THROW(rig.remove_group("g"), std::logic_error);
}

TEST_P(ConsumerGroupFacet, OffsetsOfUnsubscribedTopicsExpireFromTheirCommit) {
  std::int64_t from = -1;
  std::int32_t unsubscribed_only = -1;
  EXPECT_EQ(facet().expires(shard(), testing::to_str("g"), &from, &unsubscribed_only),
            MUSTER_EXPIRES_FROM_COMMIT);
  EXPECT_EQ(unsubscribed_only, 1);
}

TEST_P(ConsumerGroupFacet, TheListKnowsTypeAndState) {
  EXPECT_EQ(rig.state("g"), "Stable");
  rig.send(joins("m3", {"foo"}));
  EXPECT_EQ(rig.state("g"), "Assigning");
  EXPECT_EQ(rig.state("unknown"), "none");
}

TEST_P(ConsumerGroupFacet, AnExportedGroupLoadsAsTheSameGroup) {
  struct Exported {
    std::vector<std::pair<testing::Buffer, testing::Buffer>> records;
    static void record(void* self, std::uint64_t, muster_bytes key, muster_bytes value) {
      static_cast<Exported*>(self)->records.emplace_back(testing::copy_of(key),
                                                         testing::copy_of(value));
    }
  } exported;
  const muster_record_sink sink{sizeof sink, &exported, &Exported::record};
  testing::Outcome outcome;
  testing::FakeDecision decision("consumer", &outcome);
  ASSERT_EQ(facet().export_group(shard(), testing::to_str("g"), decision.table(), &sink),
            MUSTER_OK);
  EXPECT_THAT(outcome.writes, IsEmpty());
  std::vector<std::int16_t> types;
  for (const auto& [key, value] : exported.records) types.push_back(*testing::type_of(key));
  EXPECT_THAT(types, ElementsAre(5, 5, 3, 7, 7, 6, 8, 8));

  ConsumerRig copy(GetParam(), false);
  for (const auto& [key, value] : exported.records) copy.store(key, value);
  copy.open();
  EXPECT_EQ(copy.digest(MUSTER_DIGEST_DURABLE), rig.digest(MUSTER_DIGEST_DURABLE));
}

class ConsumerGroupClassicMembers : public ConsumerGroupFacet {
 protected:
  // m1 as if it had come with the classic protocol.
  void SetUp() override {
    ConsumerGroupFacet::SetUp();
    using Value = protocol::ConsumerGroupMemberMetadataValue;
    for (auto& [key, kept] : rig.shard.stored) {
      if (testing::type_of(key) != 5 || key.back() != '1') continue;
      const testing::Buffer bytes = kept.second;
      Value value = *protocol::decode_value<Value>(bytes);
      value.classic_member_metadata.emplace();
      kept.second = protocol::encode_value(value);
    }
    rig.reload_changed();
  }
};
BOTH_DOORS(ConsumerGroupClassicMembers);

TEST_P(ConsumerGroupClassicMembers, AreToldThatTheirGenerationIsIllegal) {
  EXPECT_EQ(commit({.epoch = 4}), (Errors{Error::illegal_generation}));
  EXPECT_EQ(commit({.epoch = 1}), (Errors{Error::illegal_generation}));
  EXPECT_EQ(fetch("m1", 2), Error::illegal_generation);
  EXPECT_EQ(fetch("m1", 3), Error::none);
}

TEST_P(ConsumerGroupClassicMembers, MayCommitInVersionsBeforeNine) {
  EXPECT_EQ(commit({.version = 8}), (Errors{Error::none}));
  EXPECT_EQ(commit({.member = "m2", .version = 8, .partitions = {{"foo", 2}}}),
            (Errors{Error::unsupported_version}));
}

}  // namespace
}  // namespace muster::consumer
