// What a shard knows when it is loaded: the newest records, and nothing that was only noted.
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>
#include <muster/protocol/records/group_metadata_value.hpp>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CLASSIC_TESTS(ClassicLoad);

TEST_P(ClassicLoad, AStableGroupIsStableAndItsSessionsRestart) {
  rig.stable({by("a"), by("b").with_instance("i").with_session(60'000)});
  const std::string before = rig.describe();
  rig.pass(9000);
  rig.load_again();
  EXPECT_EQ(rig.describe(), before);
  EXPECT_EQ(rig.beat({"a1"}), "NONE");
  rig.pass(9999);
  EXPECT_EQ(rig.state(), "Stable");
  rig.pass(1);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
}

TEST_P(ClassicLoad, AnEmptyGroupIsEmpty) {
  rig.stable({by("a")});
  rig.leave({{"a1"}});
  rig.load_again();
  EXPECT_EQ(rig.describe(), "Empty consumer/");
  rig.joins(by("b"));
  rig.pass(3000);
  EXPECT_THAT(rig.answered(), ElementsAre("join b1: 3 range consumer: b1 leads b1=x"));
}

TEST_P(ClassicLoad, APendingMemberIsForgotten) {
  rig.join(by("a"));
  rig.load_again();
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.join(back("a1")), "UNKNOWN_MEMBER_ID a1");
}

TEST_P(ClassicLoad, MembersOfAFirstRebalanceThatWasNotFinishedAreUnknown) {
  rig.joins(by("a"));
  rig.pass(3000);
  rig.answered();
  rig.load_again();
  EXPECT_EQ(rig.state(), "Empty");
  EXPECT_EQ(rig.sync(syncs("a1", 1)), "UNKNOWN_MEMBER_ID");
  EXPECT_EQ(rig.join(back("a1")), "UNKNOWN_MEMBER_ID a1");
}

TEST_P(ClassicLoad, MembersOfALaterOneAreInTheirOldGeneration) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  rig.join(back("b1"));
  rig.load_again();
  EXPECT_EQ(rig.state(), "Stable");
  EXPECT_EQ(rig.sync(syncs("a1", 2)), "ILLEGAL_GENERATION");
  EXPECT_EQ(rig.beat({"a1", 2}), "ILLEGAL_GENERATION");
  EXPECT_EQ(rig.join(back("a1")), waits);
  EXPECT_EQ(rig.join(back("b1")), "2 range consumer: b1 follows a1");
}

// The record is of the last generation, so who has left since is in it.
TEST_P(ClassicLoad, AMemberThatLeftInARebalanceThatWasNotFinishedIsMissedWhenItsSessionEnds) {
  rig.stable({by("a"), by("b")});
  rig.leave({{"b1"}});
  rig.load_again();
  EXPECT_EQ(rig.state(), "Stable");
  rig.pass(9000);
  rig.beat({"a1"});
  rig.pass(1000);
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x");
}

TEST_P(ClassicLoad, OfTheProtocolsOnlyTheChosenOneIsKnown) {
  rig.stable({by("a").offering({{"range", "x"}, {"sticky", "y"}})});
  EXPECT_EQ(rig.join(by("b").offering({{"sticky", "y"}})), "MEMBER_ID_REQUIRED b1");
  rig.load_again();
  EXPECT_EQ(rig.join(by("b").offering({{"sticky", "y"}})), "INCONSISTENT_GROUP_PROTOCOL ");
  EXPECT_EQ(rig.join(by("b").offering({{"range", "x"}})), "MEMBER_ID_REQUIRED b2");
}

TEST_P(ClassicLoad, ATombstoneRemovesTheGroup) {
  rig.stable({by("a")});
  protocol::GroupMetadataKey key;
  key.group = "g";
  rig.store(protocol::encode_key(key), std::nullopt);
  rig.close();
  rig.open();
  EXPECT_EQ(rig.state(), "none");
}

// As an old Kafka wrote them.
testing::Buffer stored(std::int16_t version, std::int64_t timestamp_ms) {
  protocol::GroupMetadataValue value;
  value.protocol_type = "consumer";
  value.generation = 7;
  value.protocol = "range";
  value.leader = "m";
  value.current_state_timestamp = timestamp_ms;
  auto& member = value.members.emplace_back();
  member.member_id = "m";
  member.client_id = "c";
  member.client_host = "/h";
  member.session_timeout = 8000;
  member.rebalance_timeout = version == 0 ? -1 : 9000;
  member.subscription = protocol::as_bytes("x");
  member.assignment = protocol::as_bytes("y");
  return protocol::encode_value(value, version);
}

TEST_P(ClassicLoad, EveryVersionOfTheRecordIsRead) {
  for (std::int16_t version = 0; version <= 4; ++version) {
    protocol::GroupMetadataKey key;
    const std::string group = "v" + std::to_string(version);
    key.group = group;
    rig.store(protocol::encode_key(key), stored(version, version < 2 ? -1 : 5));
  }
  rig.close();
  rig.open();
  for (std::int16_t version = 0; version <= 4; ++version) {
    const std::string group = "v" + std::to_string(version);
    EXPECT_EQ(rig.describe(group), "Stable consumer/range, m x/y");
    // Version 0 had no rebalance timeout: the session timeout stands for it.
    EXPECT_EQ(rig.join(by("n").in(group).with_rebalance(0).at(3)), waits);
    EXPECT_EQ(rig.timers.at("join " + group) - rig.host.now_ms, version == 0 ? 8000 : 9000);
  }
}

TEST_P(ClassicLoad, ARecordThatCannotBeReadIsCorrupt) {
  protocol::GroupMetadataKey key;
  key.group = "g";
  for (const testing::Buffer& value :
       {testing::Buffer{0, 5}, testing::Buffer{0, 3, 1}, testing::Buffer{}}) {
    EXPECT_EQ(rig.replay(false, protocol::encode_key(key), value), MUSTER_CORRUPT);
  }
  EXPECT_EQ(rig.replay(false, {0, 2, 0}, testing::Buffer{0, 3}), MUSTER_CORRUPT);
  EXPECT_EQ(rig.replay(true, {9, 1}, testing::Buffer{}), MUSTER_CORRUPT);
  EXPECT_THAT(rig.shard.owners, IsEmpty());
}

}  // namespace
}  // namespace muster::classic
