// Replay: any order of live records, what is kept untouched, what is refused.
#include <gmock/gmock.h>
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_key.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_value.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_key.hpp>

#include <algorithm>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using CurrentKey = protocol::ConsumerGroupCurrentMemberAssignmentKey;
using CurrentValue = protocol::ConsumerGroupCurrentMemberAssignmentValue;
using MemberKey = protocol::ConsumerGroupMemberMetadataKey;
using MemberValue = protocol::ConsumerGroupMemberMetadataValue;
using TargetValue = protocol::ConsumerGroupTargetAssignmentMemberValue;

class ConsumerGroupRecords : public ::testing::TestWithParam<Door> {
 protected:
  muster_code replay(const testing::Buffer& key, const std::optional<testing::Buffer>& value) {
    return rig.replay(false, key, value);
  }
  CurrentValue holding(const std::string& partitions, std::int32_t epoch) {
    CurrentValue value;
    value.member_epoch = epoch;
    value.previous_member_epoch = epoch - 1;
    value.assigned_partitions = rig.topics.parse<CurrentValue::TopicPartitions>(partitions);
    return value;
  }

  ConsumerRig rig{GetParam(), false};
};
BOTH_DOORS(ConsumerGroupRecords);

TEST_P(ConsumerGroupRecords, LiveRecordsLoadInAnyOrder) {
  rig.open();
  rig.topic("foo", 4);
  rig.beat(joins("m1", {"foo"}).with_instance("i1"));
  rig.pass(1000);
  rig.beat(joins_regex("m2", "fo+"));
  rig.match();
  rig.pass(1000);
  rig.beat(beats("m1", 2));
  rig.beat(beats("m1", 2).owns("foo:0,1"));
  rig.beat(beats("m2", 3));
  const testing::Buffer digest = rig.digest(MUSTER_DIGEST_DURABLE);
  std::vector<testing::Buffer> keys;
  for (const auto& [key, kept] : rig.shard.stored) keys.push_back(key);
  ASSERT_EQ(keys.size(), 9U);
  for (int rotation = 0; rotation < 9; ++rotation) {
    std::ranges::rotate(keys, keys.begin() + 1);
    ConsumerRig other(GetParam(), false);
    for (const testing::Buffer& key : keys) other.store(key, rig.shard.stored.at(key).second);
    other.open();
    EXPECT_EQ(other.digest(MUSTER_DIGEST_DURABLE), digest);
    std::ranges::reverse(keys);
  }
}

TEST_P(ConsumerGroupRecords, WhatAClassicMemberBroughtAlongIsWrittenBackUntouched) {
  const std::vector<std::uint8_t> metadata{0, 1, 2, 255};
  MemberValue value;
  value.instance_id = std::nullopt;
  value.rack_id = std::nullopt;
  value.server_assignor = std::nullopt;
  value.client_id = "classic";
  value.subscribed_topic_names = {"foo"};
  value.classic_member_metadata->session_timeout_ms = 45000;
  value.classic_member_metadata->supported_protocols.push_back(
      {"range", protocol::Bytes(metadata)});
  value.classic_member_metadata->supported_protocols.push_back({"sticky", {}});
  rig.store(protocol::encode_key(MemberKey{"g", "c1"}), protocol::encode_value(value));
  rig.open();
  struct Seen {
    testing::Buffer value;
    static void record(void* self, std::uint64_t, muster_bytes key, muster_bytes bytes) {
      if (key.data[1] == 5) static_cast<Seen*>(self)->value = testing::copy_of(bytes);
    }
  } seen;
  const muster_record_sink sink{sizeof sink, &seen, &Seen::record};
  testing::Outcome outcome;
  testing::FakeDecision decision("consumer", &outcome);
  rig.table()->facet->export_group(rig.shard_object(), testing::to_str("g"), decision.table(),
                                   &sink);
  EXPECT_EQ(seen.value, protocol::encode_value(value));
}

TEST_P(ConsumerGroupRecords, FirstRecordOwnsTheGroupAndTheLastTombstoneGivesItUp) {
  rig.open();
  EXPECT_EQ(
      replay(protocol::encode_key(MemberKey{"g", "m1"}), protocol::encode_value(MemberValue{})),
      MUSTER_OK);
  EXPECT_EQ(rig.owner_of("g"), "consumer");
  for (const testing::Buffer& key :
       {protocol::encode_key(CurrentKey{"g", "m1"}), protocol::encode_key(MemberKey{"g", "m1"}),
        protocol::encode_key(protocol::ConsumerGroupTargetAssignmentMetadataKey{"g"}),
        protocol::encode_key(protocol::ConsumerGroupMetadataKey{"g"})}) {
    EXPECT_EQ(replay(key, std::nullopt), MUSTER_OK);
  }
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(ConsumerGroupRecords, AGroupOfAnotherOwnerIsNotTaken) {
  testing::FakeOwner classic("classic");
  rig.open();
  rig.own("g", classic);
  EXPECT_EQ(
      replay(protocol::encode_key(MemberKey{"g", "m1"}), protocol::encode_value(MemberValue{})),
      MUSTER_INVALID_ARGUMENT);
}

TEST_P(ConsumerGroupRecords, TombstonesOfWhatIsNotThereAreIgnored) {
  rig.open();
  for (std::uint8_t type : {3, 4, 5, 6, 7, 8, 16}) {
    const bool has_member = type == 5 || type == 7 || type == 8 || type == 16;
    testing::Buffer key{0, type, 0, 1, 'g'};
    if (has_member) key.insert(key.end(), {0, 2, 'm', '1'});
    EXPECT_EQ(replay(key, std::nullopt), MUSTER_OK) << int{type};
  }
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(ConsumerGroupRecords, RemovalsOutOfOrderAreRefused) {
  rig.open();
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  EXPECT_EQ(replay(protocol::encode_key(MemberKey{"g", "m1"}), std::nullopt), MUSTER_CORRUPT);
  EXPECT_EQ(replay(protocol::encode_key(protocol::ConsumerGroupTargetAssignmentMetadataKey{"g"}),
                   std::nullopt),
            MUSTER_CORRUPT);
  EXPECT_EQ(replay(protocol::encode_key(protocol::ConsumerGroupMetadataKey{"g"}), std::nullopt),
            MUSTER_CORRUPT);
}

TEST_P(ConsumerGroupRecords, APartitionHeldTwiceIsRefused) {
  rig.open();
  rig.topic("foo", 2);
  const testing::Buffer first = protocol::encode_key(CurrentKey{"g", "m1"});
  const testing::Buffer second = protocol::encode_key(CurrentKey{"g", "m2"});
  EXPECT_EQ(replay(first, protocol::encode_value(holding("foo:0", 5))), MUSTER_OK);
  EXPECT_EQ(replay(second, protocol::encode_value(holding("foo:1", 5))), MUSTER_OK);
  EXPECT_EQ(replay(second, protocol::encode_value(holding("foo:0", 5))), MUSTER_CORRUPT);
}

TEST_P(ConsumerGroupRecords, WithoutAssignmentEpochsTheMembersEpochCounts) {
  rig.open();
  rig.topic("foo", 2);
  CurrentValue value = holding("foo:0,1", 5);
  value.assigned_partitions[0].assignment_epochs.reset();
  EXPECT_EQ(
      replay(protocol::encode_key(MemberKey{"g", "m1"}), protocol::encode_value(MemberValue{})),
      MUSTER_OK);
  EXPECT_EQ(replay(protocol::encode_key(CurrentKey{"g", "m1"}), protocol::encode_value(value)),
            MUSTER_OK);
  // Not meant to have anything, it is told to revoke; the record shows what it has from when.
  rig.send(beats("m1", 5));
  EXPECT_EQ(rig.stored().back(), "8 m1 at 5 after 5 unrevoked revoking foo:0@5,1@5");
}

TEST_P(ConsumerGroupRecords, AForeignTypeOrVersionIsCorrupt) {
  rig.open();
  EXPECT_EQ(replay({0, 2, 0, 1, 'g'}, testing::Buffer{0, 0}), MUSTER_CORRUPT);
  EXPECT_EQ(replay({0}, testing::Buffer{0, 0}), MUSTER_CORRUPT);
  EXPECT_EQ(replay({}, std::nullopt), MUSTER_CORRUPT);
  testing::Buffer newer = protocol::encode_value(MemberValue{});
  newer[1] = 7;
  EXPECT_EQ(replay(protocol::encode_key(MemberKey{"g", "m1"}), newer), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(true, {77}, testing::Buffer{1}), MUSTER_CORRUPT);
}

TEST_P(ConsumerGroupRecords, PartitionNumbersThatCannotBeAreCorrupt) {
  rig.open();
  rig.topic("foo", 1);
  CurrentValue current = holding("foo:0", 5);
  for (const std::int32_t number : {-1, std::numeric_limits<std::int32_t>::max()}) {
    current.assigned_partitions[0].partitions[0] = number;
    EXPECT_EQ(replay(protocol::encode_key(CurrentKey{"g", "m1"}), protocol::encode_value(current)),
              MUSTER_CORRUPT);
    TargetValue target;
    target.topic_partitions = rig.topics.parse<TargetValue::TopicPartition>("foo:0");
    target.topic_partitions[0].partitions[0] = number;
    EXPECT_EQ(
        replay(protocol::encode_key(protocol::ConsumerGroupTargetAssignmentMemberKey{"g", "m1"}),
               protocol::encode_value(target)),
        MUSTER_CORRUPT);
  }
}

TEST_P(ConsumerGroupRecords, WhatAnotherMemberHasTakenSinceIsNotFreedByItsFormerHolder) {
  rig.open();
  rig.topic("foo", 1);
  for (const char* member : {"m1", "m2"}) {
    MemberValue metadata;
    metadata.subscribed_topic_names = {"foo"};
    EXPECT_EQ(
        replay(protocol::encode_key(MemberKey{"g", member}), protocol::encode_value(metadata)),
        MUSTER_OK);
  }
  const testing::Buffer first = protocol::encode_key(CurrentKey{"g", "m1"});
  const testing::Buffer second = protocol::encode_key(CurrentKey{"g", "m2"});
  EXPECT_EQ(replay(first, protocol::encode_value(holding("foo:0", 5))), MUSTER_OK);
  EXPECT_EQ(replay(second, protocol::encode_value(holding("foo:0", 6))), MUSTER_OK);
  EXPECT_EQ(replay(first, std::nullopt), MUSTER_OK);
  const testing::Buffer third = protocol::encode_key(CurrentKey{"g", "m3"});
  EXPECT_EQ(replay(third, protocol::encode_value(holding("foo:0", 6))), MUSTER_CORRUPT);
}

}  // namespace
}  // namespace muster::consumer
