// A group that changes hands: what its next owner gets of it, and what becomes of who waits.
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>
#include <muster/protocol/records/group_metadata_value.hpp>
#include <muster/protocol/writer.hpp>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Exported = std::vector<std::pair<testing::Buffer, testing::Buffer>>;

testing::Buffer key_of(std::string_view group) {
  protocol::GroupMetadataKey key;
  key.group = group;
  return protocol::encode_key(key);
}

class ClassicHandingOver : public ClassicTest {
 protected:
  // As another protocol does it in a slot of its own.
  Exported exported() {
    Exported out;
    const muster_record_sink sink{
        sizeof sink, &out, [](void* self, std::uint64_t, muster_bytes key, muster_bytes value) {
          static_cast<Exported*>(self)->emplace_back(testing::copy_of(key),
                                                     testing::copy_of(value));
        }};
    testing::Outcome outcome;
    testing::FakeDecision decision("classic", &outcome);
    EXPECT_EQ(rig.table()->facet->export_group(rig.shard_object(), testing::to_str("g"),
                                               decision.table(), &sink),
              MUSTER_OK);
    for (const testing::Write& write : outcome.writes) {
      EXPECT_EQ(rig.replay(write.is_note, write.key, write.value), MUSTER_OK);
    }
    rig.take(std::move(outcome));
    return out;
  }
  void tombstone() { EXPECT_EQ(rig.replay(false, key_of("g"), std::nullopt), MUSTER_OK); }
};
BOTH_DOORS(ClassicHandingOver);

TEST_P(ClassicHandingOver, TheExportIsTheRecordAndAMemberEach) {
  const Offers both = {{"range", "x"}, {"sticky", "y"}};
  rig.stable({by("a").offering(both).with_instance("i"), by("b").offering(both)});
  const Exported out = exported();
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].first, key_of("g"));
  EXPECT_EQ(out[0].second, rig.shard.stored.at(key_of("g")).second);

  testing::Buffer key = key_of("g");
  const std::string id = rig.id_of("i1");
  protocol::Writer(key).write_string(id, false);
  EXPECT_EQ(out[2].first, key);
  const auto member =
      *protocol::decode_value<protocol::ConsumerGroupMemberMetadataValue>(out[2].second);
  EXPECT_EQ(member.instance_id, "i");
  EXPECT_EQ(member.rack_id, std::nullopt);
  EXPECT_EQ(member.client_id, "a");
  EXPECT_EQ(member.client_host, "/127.0.0.1");
  EXPECT_EQ(member.rebalance_timeout_ms, 60'000);
  EXPECT_THAT(member.subscribed_topic_names, IsEmpty());
  ASSERT_TRUE(member.classic_member_metadata);
  EXPECT_EQ(member.classic_member_metadata->session_timeout_ms, 10'000);
  const auto& offers = member.classic_member_metadata->supported_protocols;
  ASSERT_EQ(offers.size(), 2u);
  EXPECT_EQ(offers[1].name, "sticky");
  EXPECT_EQ(protocol::as_text(offers[1].metadata), "y");
}

TEST_P(ClassicHandingOver, TheExportOfAnEmptyGroupIsItsRecord) {
  rig.join(by("a"));
  const Exported out = exported();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].second, rig.shard.stored.at(key_of("g")).second);
}

TEST_P(ClassicHandingOver, ItTellsNewMembersToo) {
  rig.stable({by("a")});
  rig.joins(by("b"));
  const Exported out = exported();
  ASSERT_EQ(out.size(), 3u);
  const auto value = *protocol::decode_value<protocol::GroupMetadataValue>(out[0].second);
  ASSERT_EQ(value.members.size(), 2u);
  EXPECT_EQ(protocol::as_text(value.members[0].assignment), "for a1");
  EXPECT_EQ(protocol::as_text(value.members[1].assignment), "");
}

TEST_P(ClassicHandingOver, WhoWaitsInAJoinPhaseIsToldToRejoin) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  exported();
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: REBALANCE_IN_PROGRESS a1"));
}

TEST_P(ClassicHandingOver, WhoWaitsForTheAssignmentIsToldToRejoin) {
  rig.joins(by("a"));
  rig.joins(by("b"));
  rig.pass(6000);
  rig.answered();
  rig.sync(syncs("b1", 1));
  exported();
  EXPECT_THAT(rig.answered(), ElementsAre("sync b1: REBALANCE_IN_PROGRESS"));
}

// The conversion may be refused after that.
TEST_P(ClassicHandingOver, TheGroupGoesOnWhereItStays) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  exported();
  rig.answered();
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.join(back("b1")), waits);
  EXPECT_EQ(rig.join(back("a1")), "2 range consumer: a1 leads a1=x b1=x");
}

TEST_P(ClassicHandingOver, TimersOfAGroupThatIsGoneDoNothing) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  exported();
  rig.answered();
  tombstone();
  EXPECT_EQ(rig.owner_of("g"), "");
  rig.pass(120'000);
  EXPECT_THAT(rig.answered(), IsEmpty());
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ClassicHandingOver, WhoStillWaitsWhenTheGroupIsGoneIsToldToRejoin) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  tombstone();
  rig.take(rig.on_owner("g", false));
  EXPECT_THAT(rig.answered(), ElementsAre("join a1: REBALANCE_IN_PROGRESS a1"));
  rig.take(rig.on_owner("g", false));
  EXPECT_THAT(rig.answered(), IsEmpty());
}

class ClassicTakenOver : public ClassicHandingOver {
 protected:
  static constexpr std::int64_t never_synced = -1;

  // As a consumer group that turns classic is written.
  void become(std::int64_t since_ms) {
    protocol::GroupMetadataValue value;
    value.protocol_type = "consumer";
    value.generation = 7;
    value.protocol = "range";
    value.leader = "m";
    value.current_state_timestamp = since_ms;
    for (const char* id : {"m", "n"}) {
      auto& member = value.members.emplace_back();
      member.member_id = id;
      member.rebalance_timeout = 20'000;
      member.session_timeout = 8000;
      member.subscription = protocol::as_bytes("x");
      member.assignment = protocol::as_bytes("y");
    }
    const protocol::Buffer record = protocol::encode_value(value, 3);
    ASSERT_EQ(rig.replay(false, key_of("g"), record), MUSTER_OK);
    rig.store(key_of("g"), record);
  }
};
BOTH_DOORS(ClassicTakenOver);

TEST_P(ClassicTakenOver, ItsMembersAreExpectedToRejoin) {
  become(never_synced);
  EXPECT_EQ(rig.state(), "Stable");
  rig.take(rig.on_owner("g", true));
  EXPECT_EQ(rig.state(), "PreparingRebalance");
  EXPECT_EQ(rig.beat({"m", 7}), "REBALANCE_IN_PROGRESS");
  EXPECT_EQ(rig.join(by("c").as("m")), waits);
  EXPECT_EQ(rig.join(by("c").as("n")), "8 range consumer: n follows m");
  EXPECT_THAT(rig.answered(), ElementsAre("join m: 8 range consumer: m leads m=x n=x"));
}

TEST_P(ClassicTakenOver, ItsMembersAreExpectedToRejoinAfterALoadToo) {
  become(never_synced);
  rig.load_again();
  EXPECT_EQ(rig.beat({"m", 7}), "REBALANCE_IN_PROGRESS");
}

TEST_P(ClassicTakenOver, WhereAllHaveWhatTheyAreAssignedNobodyRejoins) {
  become(rig.host.now_ms);
  rig.take(rig.on_owner("g", true));
  EXPECT_EQ(rig.state(), "Stable");
  EXPECT_EQ(rig.beat({"m", 7}), "NONE");
}

TEST_P(ClassicTakenOver, ItsSessionsRun) {
  become(never_synced);
  rig.take(rig.on_owner("g", true));
  rig.pass(7999);
  EXPECT_EQ(rig.beat({"m", 7}), "REBALANCE_IN_PROGRESS");
  rig.pass(1);
  EXPECT_EQ(rig.beat({"n", 7}), "UNKNOWN_MEMBER_ID");
}

TEST_P(ClassicTakenOver, AnEmptyOneStaysEmpty) {
  protocol::GroupMetadataValue value;
  value.protocol.reset();
  value.leader.reset();
  ASSERT_EQ(rig.replay(false, key_of("h"), protocol::encode_value(value, 3)), MUSTER_OK);
  rig.take(rig.on_owner("h", true));
  EXPECT_EQ(rig.state("h"), "Empty");
  EXPECT_THAT(rig.last.timers, IsEmpty());
}

}  // namespace
}  // namespace muster::classic
