// What other protocols ask of a classic group: its name in lists, topics, expiry, removal.
#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/protocol/writer.hpp>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As consumers send it.
std::string topics(const Lines& names, std::int16_t version = 0) {
  testing::Buffer bytes;
  protocol::ConsumerProtocolSubscription subscription;
  for (const std::string& name : names) subscription.topics.push_back(name);
  protocol::Writer(bytes).write_int16(version);
  protocol::encode(subscription, version, bytes);
  return {bytes.begin(), bytes.end()};
}

struct Expires {
  std::int32_t how = -1;
  std::int64_t from_ms = -1;
  std::int32_t unsubscribed_only = -1;
};

class ClassicFacet : public ClassicTest {
 protected:
  const muster_group_facet_v1& facet() { return *rig.table()->facet; }

  Join consumer(std::string_view client, const Lines& names, std::int16_t version = 0) {
    return by(client).offering({{"range", topics(names, version)}});
  }
  bool subscribes(std::string_view topic) {
    return facet().subscribes(rig.shard_object(), testing::to_str("g"), testing::to_str(topic)) ==
           1;
  }
  Expires expires() {
    Expires out;
    out.how = facet().expires(rig.shard_object(), testing::to_str("g"), &out.from_ms,
                              &out.unsubscribed_only);
    return out;
  }
  std::int16_t remove(std::string_view group = "g") {
    testing::Outcome outcome;
    testing::FakeDecision decision("classic", &outcome);
    const std::int16_t error =
        facet().remove(rig.shard_object(), testing::to_str(group), decision.table());
    removed = rig.stored(outcome);
    return error;
  }
  std::string listed() {
    std::string out;
    const muster_listed_sink sink{
        sizeof sink, &out, [](void* self, muster_str type, muster_str protocol, muster_str state) {
          *static_cast<std::string*>(self) = testing::copy_of(type) + "/" +
                                             testing::copy_of(protocol) + "/" +
                                             testing::copy_of(state);
        }};
    EXPECT_EQ(facet().describe_listed(rig.shard_object(), testing::to_str("g"), &sink), MUSTER_OK);
    return out;
  }

  Lines removed;
};
BOTH_DOORS(ClassicFacet);

TEST_P(ClassicFacet, ItIsListedWithItsTypeAndState) {
  rig.join(by("a"));
  EXPECT_EQ(listed(), "classic//Empty");
  rig.join(back("a1"));
  EXPECT_EQ(listed(), "classic/consumer/PreparingRebalance");
  rig.pass(3000);
  EXPECT_EQ(listed(), "classic/consumer/CompletingRebalance");
  rig.sync(syncs("a1", 1));
  EXPECT_EQ(listed(), "classic/consumer/Stable");
}

TEST_P(ClassicFacet, ConsumersSubscribeWhatTheirMembersDo) {
  rig.stable({consumer("a", {"foo", "bar"}), consumer("b", {"baz"}, 3)});
  EXPECT_TRUE(subscribes("foo"));
  EXPECT_TRUE(subscribes("bar"));
  EXPECT_TRUE(subscribes("baz"));
  EXPECT_FALSE(subscribes("other"));
}

TEST_P(ClassicFacet, ASubscriptionOfANewerVersionIsReadAsFarAsItIsKnown) {
  std::string newer = topics({"foo"});
  newer[1] = 9;
  newer += "what nobody here knows";
  rig.stable({by("a").offering({{"range", newer}})});
  EXPECT_TRUE(subscribes("foo"));
  EXPECT_FALSE(subscribes("other"));
}

TEST_P(ClassicFacet, WhatCannotBeReadCountsAsEverything) {
  rig.stable({consumer("a", {"foo"}), by("b").offering({{"range", "?"}})});
  EXPECT_TRUE(subscribes("other"));
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_NEVER);
}

TEST_P(ClassicFacet, OtherTypesSubscribeNothing) {
  rig.stable({by("w").of_type("connect").offering({{"sessioned", topics({"foo"})}})});
  EXPECT_FALSE(subscribes("foo"));
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_NEVER);
}

TEST_P(ClassicFacet, AnEmptyGroupSubscribesNothing) {
  rig.stable({consumer("a", {"foo"})});
  rig.leave({{"a1"}});
  EXPECT_FALSE(subscribes("foo"));
}

TEST_P(ClassicFacet, ANewSubscriptionCountsFromTheNextGeneration) {
  rig.stable({consumer("a", {"foo"})});
  EXPECT_TRUE(subscribes("foo"));
  rig.join(back("a1").offering({{"range", topics({"bar"})}}));
  EXPECT_TRUE(subscribes("bar"));
  EXPECT_FALSE(subscribes("foo"));
}

TEST_P(ClassicFacet, OffsetsOfAStableConsumerGroupExpireWhereTheirTopicIsNotSubscribed) {
  rig.stable({consumer("a", {"foo"})});
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_FROM_COMMIT);
  EXPECT_EQ(expires().unsubscribed_only, 1);
}

TEST_P(ClassicFacet, OffsetsOfAnEmptyGroupExpireFromWhenItBecameEmpty) {
  rig.stable({consumer("a", {"foo"})});
  rig.pass(5000);
  const std::int64_t when = rig.host.now_ms;
  rig.leave({{"a1"}});
  rig.pass(5000);
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_FROM_TIME);
  EXPECT_EQ(expires().from_ms, when);
  rig.load_again();
  EXPECT_EQ(expires().from_ms, when);
}

TEST_P(ClassicFacet, OffsetsOfAGroupWithoutATypeExpireFromTheirCommit) {
  rig.join(by("a"));
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_FROM_COMMIT);
  EXPECT_EQ(expires().unsubscribed_only, 0);
}

TEST_P(ClassicFacet, OffsetsOfARebalancingGroupDoNotExpire) {
  rig.joins(consumer("a", {"foo"}));
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_NEVER);
  rig.pass(3000);
  EXPECT_EQ(expires().how, MUSTER_EXPIRES_NEVER);
}

TEST_P(ClassicFacet, OnlyAnEmptyGroupIsRemoved) {
  constexpr std::int16_t non_empty_group = 68;
  constexpr std::int16_t group_id_not_found = 69;
  rig.joins(by("a"));
  EXPECT_EQ(remove(), non_empty_group);
  rig.pass(3000);
  EXPECT_EQ(remove(), non_empty_group);
  rig.sync(syncs("a1", 1));
  EXPECT_EQ(remove(), non_empty_group);
  EXPECT_THAT(removed, IsEmpty());
  rig.leave({{"a1"}});
  EXPECT_EQ(remove(), 0);
  EXPECT_THAT(removed, ElementsAre("g gone"));
  EXPECT_EQ(remove("other"), group_id_not_found);
}

}  // namespace
}  // namespace muster::classic
