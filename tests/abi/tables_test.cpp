// Which slots a generated table has, and how calls arrive through it.
#include <muster/sdk/plugin.hpp>
#include <muster/testing/fake_decision.hpp>
#include <muster/testing/fake_metadata.hpp>
#include <muster/testing/rig_host.hpp>
#include <muster/testing/rig_shard.hpp>
#include <muster/testing/rig_sinks.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

namespace sdk = muster::sdk;
using muster::testing::ErrorText;

// Only what must be there.
struct Bare {
  static constexpr muster_api_claim apis[] = {{1000, 0, 0, 0, MUSTER_SCOPE_GROUP, 1}};
  static constexpr const char* shard_space = "groups";
  void route(const sdk::Request&, sdk::RouteSink&) const {}
  void refuse(const sdk::Request&, std::int16_t, std::string_view, sdk::BytesSink&) const {}
  struct Shard {
    Shard(Bare&, sdk::ShardHost) {}
    void replay(const sdk::Replayed&, sdk::Directory&) {}
    void decide(const sdk::Request&, sdk::Decision&) const {}
  };
};

// The optional slots that are NULL.
std::string missing_slots(const muster_group_protocol_v1& table) {
  std::string out;
  const auto look = [&](const char* name, bool there) {
    if (!there) out += std::string{name} + " ";
  };
  look("join", table.join != nullptr);
  look("work", table.work != nullptr);
  look("mirror", table.mirror != nullptr);
  look("on_loaded", table.on_loaded != nullptr);
  look("on_timer", table.on_timer != nullptr);
  look("on_expired", table.on_expired != nullptr);
  look("task_input", table.task_input != nullptr);
  look("on_task", table.on_task != nullptr);
  look("on_reply", table.on_reply != nullptr);
  look("on_metadata", table.on_metadata != nullptr);
  look("on_disconnect", table.on_disconnect != nullptr);
  look("on_owner", table.on_owner != nullptr);
  look("facet", table.facet != nullptr);
  look("digest", table.digest != nullptr);
  return out;
}

TEST(GroupProtocolTable, LacksTheSlotsThatTheAuthorDidNotWrite) {
  const muster_group_protocol_v1& table = sdk::group_protocol_table<Bare>;
  EXPECT_EQ(table.struct_size, sizeof table);
  EXPECT_EQ(table.api_count, 1U);
  EXPECT_EQ(table.type_count, 0U);
  EXPECT_EQ(missing_slots(table),
            "join work mirror on_loaded on_timer on_expired task_input on_task on_reply "
            "on_metadata on_disconnect on_owner facet digest ");
}

// All slots; a few of them say how they were called.
struct Full : Bare {
  static constexpr muster_type_claim types[] = {{0x4000, 0x4001}};
  static constexpr muster_option options[] = {sdk::bool_option("full.broken").by_default("false")};
  Full(const sdk::Host&, const sdk::Options& given) {
    if (sdk::BoolOption{given, "full.broken"}()) {
      throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "broken on demand");
    }
  }
  void join(const sdk::Request&, sdk::Parts parts, sdk::BytesSink& out) const {
    for (const sdk::Bytes part : parts) out.write(part);
  }
  void work(const sdk::Work&, sdk::BytesSink&) const {}
  void mirror(sdk::Bytes, std::optional<sdk::Bytes>, sdk::MirrorSink&) const {}
  struct Shard {
    Shard(Full&, sdk::ShardHost given) : host(given) {}
    void replay(const sdk::Replayed& replayed, sdk::Directory& directory) {
      last = sdk::text(replayed.sequence, replayed.kind == sdk::Kind::note ? " note" : " record",
                       replayed.value ? "" : " tombstone");
      directory.own(sdk::as_text(replayed.key));
    }
    void decide(const sdk::Request&, sdk::Decision&) const { throw std::logic_error("undecided"); }
    void on_loaded(sdk::Decision&) const {}
    void on_timer(std::string_view key, sdk::Decision& decision) const { decision.timer(key, 1); }
    void on_expired(std::uint64_t token, sdk::Decision& decision) const { decision.park(token, 2); }
    void task_input(const sdk::Task&, sdk::InputSink&) const {}
    void on_task(const sdk::Task& task, const sdk::TaskResult& result, sdk::Decision& out) const {
      out.offload(task.key, result.partitions().owner[1], task.kind);
    }
    void on_reply(std::uint64_t, const sdk::Reply&, sdk::Decision&) const {}
    void on_metadata(const sdk::Metadata&, sdk::TopicChanges changes, sdk::Decision& out) const {
      for (const sdk::TopicChange& change : changes) {
        if (change.what == sdk::Change::deleted) out.cancel(change.name);
      }
    }
    void on_disconnect(std::uint64_t, sdk::Decision&) const {}
    void on_owner(std::string_view, bool, sdk::Decision&) const {}
    void digest(sdk::Digest part, sdk::BytesSink& out) const {
      out.write(part == sdk::Digest::durable ? "durable" : "noted");
    }
    sdk::ShardHost host;
    std::string last;
  };
};

class FullTable : public testing::Test {
 protected:
  static constexpr const muster_group_protocol_v1& table = sdk::group_protocol_table<Full>;
  muster::testing::FakeMetadata metadata;
  muster::testing::RigHost host{&metadata};
  muster::testing::RigShard place{&host, &metadata};
  const muster_export exported = MUSTER_GROUP_PROTOCOL(Full, "full");
  muster::testing::RigOptions options{exported};
  muster::testing::Outcome outcome;
  muster::testing::FakeDecision decision{"full", &outcome};
  ErrorText error;
  void* self = table.create(host.table(), options.table(), error.table());
  void* shard = table.shard_open(self, place.table(), error.table());

  ~FullTable() override {
    table.shard_close(shard);
    table.destroy(self);
  }
  Full::Shard& object() { return sdk::OpenShard<Full>::of(shard).object; }
};

TEST_F(FullTable, HasEverySlotThatTheAuthorWrote) {
  EXPECT_EQ(missing_slots(table), "facet ");
  EXPECT_EQ(table.type_count, 1U);
  EXPECT_STREQ(exported.interface_id, MUSTER_IFACE_GROUP_PROTOCOL);
  EXPECT_EQ(exported.option_count, 1U);
}

TEST_F(FullTable, CreateThatThrowsIsNullAndASentence) {
  options.set("full.broken", "true");
  EXPECT_EQ(table.create(host.table(), options.table(), error.table()), nullptr);
  EXPECT_EQ(error.text, "broken on demand");
}

TEST_F(FullTable, ReplayIsToldWhatItReplays) {
  const muster_bytes key = sdk::to_bytes(sdk::as_bytes("g"));
  place.self.name = "full";
  EXPECT_EQ(table.replay(shard, 7, MUSTER_REPLAY_NOTE, key, {nullptr, 0}, place.directory()),
            MUSTER_OK);
  EXPECT_EQ(object().last, "7 note tombstone");
  EXPECT_EQ(place.owners.count("g"), 1U);
  EXPECT_EQ(table.replay(shard, 8, MUSTER_REPLAY_RECORD, key, key, place.directory()), MUSTER_OK);
  EXPECT_EQ(object().last, "8 record");
}

TEST_F(FullTable, ReplayOfAGroupThatAnotherOwnsFails) {
  place.self.name = "full";
  place.owners["g"] = {"other"};
  const muster_bytes key = sdk::to_bytes(sdk::as_bytes("g"));
  EXPECT_NE(table.replay(shard, 1, MUSTER_REPLAY_RECORD, key, key, place.directory()), MUSTER_OK);
  ASSERT_EQ(host.log_lines.size(), 1U);
  EXPECT_EQ(host.log_lines[0].second, "replay failed: another plugin owns this group id");
}

TEST_F(FullTable, DecideThatThrowsSaysSo) {
  const muster::testing::RequestSpec spec;
  const muster::testing::RequestTable request(spec);
  EXPECT_EQ(table.decide(shard, request.table(), decision.table(), error.table()), MUSTER_INTERNAL);
  EXPECT_EQ(error.text, "undecided");
}

TEST_F(FullTable, EventsArriveWithWhatTheyCarry) {
  ASSERT_EQ(table.on_timer(shard, sdk::to_str("t"), decision.table(), error.table()), MUSTER_OK);
  ASSERT_EQ(table.on_expired(shard, 5, decision.table(), error.table()), MUSTER_OK);
  const muster_topic_change changes[] = {{sdk::to_str("new"), {}, MUSTER_TOPIC_CREATED},
                                         {sdk::to_str("gone"), {}, MUSTER_TOPIC_DELETED}};
  ASSERT_EQ(table.on_metadata(shard, metadata.view(), changes, 2, decision.table(), error.table()),
            MUSTER_OK);
  EXPECT_EQ(outcome.timers, (std::vector<muster::testing::Timer>{{"t", 1}, {"gone", {}}}));
  ASSERT_EQ(outcome.parks.size(), 1U);
  EXPECT_EQ(outcome.parks[0].token, 5U);
}

TEST_F(FullTable, AnAssignmentIsReadOnlyFromATaskThatSucceeded) {
  const std::uint32_t first[] = {0, 2};
  muster_partition_assignor_view view{};
  view.struct_size = sizeof view;
  view.topic_count = 1;
  view.topic_first = first;
  const std::uint32_t owner[] = {0, 3};
  const muster_partition_assignment assignment{sizeof assignment, &view, owner};
  const muster_bytes result{reinterpret_cast<const std::uint8_t*>(&assignment), sizeof assignment};
  const auto on_task = [&](muster_code code, muster_bytes bytes) {
    return table.on_task(shard, sdk::to_str("g"), 1, sdk::to_str("kind"), code, bytes,
                         decision.table(), error.table());
  };
  EXPECT_EQ(on_task(MUSTER_OK, result), MUSTER_OK);
  ASSERT_EQ(outcome.offloads.size(), 1U);
  EXPECT_EQ(outcome.offloads[0].epoch, 3U);
  EXPECT_EQ(on_task(MUSTER_UNAVAILABLE, {nullptr, 0}), MUSTER_INTERNAL);
}

TEST_F(FullTable, PartsAndDigestsAreWritten) {
  muster::testing::ByteCollector joined;
  const muster::testing::RequestSpec spec;
  const muster::testing::RequestTable request(spec);
  const muster_bytes parts[] = {sdk::to_bytes(sdk::as_bytes("ab")),
                                sdk::to_bytes(sdk::as_bytes("c"))};
  EXPECT_EQ(table.join(self, request.table(), parts, 2, joined.table()), MUSTER_OK);
  EXPECT_EQ(sdk::as_text(joined.bytes), "abc");
  muster::testing::ByteCollector digest;
  EXPECT_EQ(table.digest(shard, MUSTER_DIGEST_NOTED, digest.table()), MUSTER_OK);
  EXPECT_EQ(sdk::as_text(digest.bytes), "noted");
}

}  // namespace
