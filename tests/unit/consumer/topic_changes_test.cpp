// Topics that come, go, grow and move: the metadata hash and the bumps it makes.
#include <gmock/gmock.h>
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_metadata_value.hpp>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;

class ConsumerGroupTopicChanges : public ::testing::TestWithParam<Door> {
 protected:
  void SetUp() override {
    rig.topic("foo", 2);
    rig.beat(joins("m1", {"foo", "later"}));
    rig.pass(1000);
    rig.beat(joins("m2", {"foo", "later"}));
    rig.beat(beats("m1", 2).owns("foo:0"));
    rig.beat(beats("m2", 3));
    rig.pass(1000);
  }
  // The next heartbeat of any member bumps the epoch, and only that one.
  void expect_one_bump() {
    EXPECT_EQ(rig.send(beats("m2", 3)), std::nullopt);
    EXPECT_EQ(rig.stored(), (Lines{"3 epoch 4"}));
    rig.finish();
    rig.pass(1000);
    rig.send(beats("m1", 3));
    for (const std::string& line : rig.stored()) EXPECT_FALSE(line.starts_with("3 ")) << line;
    EXPECT_TRUE(rig.runs.empty());
  }
  std::int64_t stored_hash() {
    for (const auto& [key, kept] : rig.shard.stored) {
      if (testing::type_of(key) != 3) continue;
      return protocol::decode_value<protocol::ConsumerGroupMetadataValue>(kept.second)
          ->metadata_hash;
    }
    return -1;
  }

  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupTopicChanges);

TEST_P(ConsumerGroupTopicChanges, ACreatedTopicThatIsSubscribedBumps) {
  rig.topic("later", 1);
  expect_one_bump();
  EXPECT_EQ(rig.beat(beats("m1", 4)).epoch, 4);
}

TEST_P(ConsumerGroupTopicChanges, AGrownTopicBumps) {
  rig.topic("foo", 3);
  expect_one_bump();
}

TEST_P(ConsumerGroupTopicChanges, ADeletedTopicBumps) {
  rig.remove_topic("foo");
  expect_one_bump();
  EXPECT_EQ(stored_hash(), 0);
}

TEST_P(ConsumerGroupTopicChanges, ARecreatedTopicBumpsAndItsNewPartitionsAreAssigned) {
  rig.remove_topic("foo");
  rig.topic("foo", {.partitions = 2, .id = 77});
  EXPECT_EQ(rig.send(beats("m2", 3)), std::nullopt);
  // What it held of the old topic is revoked first.
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 3, "")}));
  EXPECT_EQ(rig.beat(beats("m2", 3).owns("")), ok("m2", 4, "foo:1"));
}

TEST_P(ConsumerGroupTopicChanges, AReplicasRackBumps) {
  rig.topic("foo", {.partitions = 2, .hash = 4711, .racks = {{"a"}, {"b"}}});
  expect_one_bump();
}

TEST_P(ConsumerGroupTopicChanges, AChangeThatLeavesTheHashIsNoBump) {
  rig.topic("later", 1);
  rig.remove_topic("later");
  EXPECT_EQ(rig.send(beats("m2", 3)), ok("m2", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupTopicChanges, ATopicNobodySubscribesConcernsNobody) {
  rig.topic("unrelated", 1);
  EXPECT_EQ(rig.last.writes.size(), 1U);  // only that there is a new topic
  EXPECT_EQ(rig.send(beats("m2", 3)), ok("m2", 3, std::nullopt));
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ConsumerGroupTopicChanges, OnlySubscribedGroupsAreMarked) {
  rig.beat(joins("m9", {"unrelated"}).in("h"));
  rig.topic("foo", 3);
  ASSERT_EQ(rig.last.writes.size(), 1U);
  rig.topic("unrelated", 1);
  EXPECT_EQ(rig.last.writes.size(), 2U);
}

TEST_P(ConsumerGroupTopicChanges, AGroupThatNoLongerSubscribesIsNotMarked) {
  rig.beat(leaves("m1"));
  rig.beat(leaves("m2"));
  rig.topic("foo", 3);
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ConsumerGroupTopicChanges, AChangeWhileTheShardWasClosedIsFoundAfterTheLoad) {
  rig.metadata.put("foo", {.partitions = 5});
  rig.metadata.take_changes();
  rig.reload();
  EXPECT_EQ(rig.send(beats("m1", 3)), std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"3 epoch 4"}));
}

TEST_P(ConsumerGroupTopicChanges, UnchangedTopicsAfterALoadAreNoBump) {
  rig.reload();
  EXPECT_EQ(rig.send(beats("m1", 3)), ok("m1", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupTopicChanges, TheAssignmentIsSentAgainUntilItIsAcknowledged) {
  // The client's metadata may not know the new topic's id yet, so it does not list it as owned.
  rig.topic("later", 1);
  const Answer first = rig.beat(beats("m1", 3));
  EXPECT_EQ(first, ok("m1", 4, "foo:0 later:0"));
  EXPECT_EQ(rig.beat(joins("m1", {"foo", "later"}).at(4).owns("foo:0")),
            ok("m1", 4, "foo:0 later:0"));
}

TEST_P(ConsumerGroupTopicChanges, AnOldPartitionMetadataRecordIsRemovedWithTheNextRefresh) {
  const testing::Buffer key{0, 4, 0, 1, 'g'};
  rig.store(key, testing::Buffer{0, 0, 1, 0});
  rig.reload_changed();
  EXPECT_EQ(rig.send(beats("m1", 3)), ok("m1", 3, std::nullopt));
  EXPECT_EQ(rig.stored(), (Lines{"-4"}));
}

TEST_P(ConsumerGroupTopicChanges, SeveralReasonsInOneHeartbeatAreOneBump) {
  rig.topic("foo", 3);
  rig.topic("later", 1);
  EXPECT_EQ(rig.send(beats("m2", 3).with_topics({"foo"}).with_assignor("range")), std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"5 m2 [foo] assignor=range", "3 epoch 4"}));
}

}  // namespace
}  // namespace muster::consumer
