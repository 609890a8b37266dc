// Both ends of the facet: an owner asked through ShardHost, and slots that answer.
#include <muster/sdk/group_protocol.hpp>
#include <muster/testing/fake_metadata.hpp>
#include <muster/testing/fake_owner.hpp>
#include <muster/testing/rig_host.hpp>
#include <muster/testing/rig_shard.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace sdk = muster::sdk;

class FacetAsked : public testing::Test {
 protected:
  muster::testing::FakeMetadata metadata;
  muster::testing::RigHost host{&metadata};
  muster::testing::RigShard place{&host, &metadata};
  muster::testing::FakeOwner other{"classic"};
  muster::testing::Outcome outcome;
  const sdk::ShardHost shard{place.table()};

  void SetUp() override {
    place.owners["g"] = {"classic", other.facet(), &other};
    place.begin_slot(&outcome);
  }
  void TearDown() override { place.end_slot(); }
};

TEST_F(FacetAsked, AnIdWithoutOwnerIsNothing) {
  EXPECT_FALSE(shard.find_group("h").has_value());
  ASSERT_TRUE(shard.find_group("g").has_value());
  EXPECT_EQ(shard.find_group("g")->name(), "classic");
}

TEST_F(FacetAsked, AnswersAsTheOwnerDoes) {
  other.state = "Empty";
  other.fetch_error = 25;
  other.subscribed = {"t"};
  other.expires_how = MUSTER_EXPIRES_FROM_TIME;
  other.expires_from_ms = 77;
  const sdk::GroupOwner owner = shard.find_group("g").value();
  EXPECT_EQ(owner.describe_listed("g").value().state, "Empty");
  EXPECT_EQ(owner.check_fetch({"g", "m", 1}), 25);
  EXPECT_EQ(owner.check_fetch({"g", std::nullopt, -1}), 25);
  ASSERT_EQ(other.fetches.size(), 2U);
  EXPECT_TRUE(other.fetches[0].has_member);
  EXPECT_FALSE(other.fetches[1].has_member);
  EXPECT_TRUE(owner.subscribes("g", "t"));
  EXPECT_FALSE(owner.subscribes("g", "u"));
  EXPECT_EQ(owner.expires("g").when, sdk::Expiry::When::from_time);
  EXPECT_EQ(owner.expires("g").from_ms, 77);
  EXPECT_TRUE(owner.expires("g").unsubscribed_only);
}

TEST_F(FacetAsked, RemovalFillsTheAskersBatch) {
  other.remove_writes = {{"", false, {'k'}, std::nullopt}};
  EXPECT_EQ(shard.find_group("g")->remove("g"), 0);
  ASSERT_EQ(outcome.writes.size(), 1U);
  EXPECT_EQ(outcome.writes[0].emitter, "classic");
}

TEST_F(FacetAsked, WhereNoDecisionIsWhatNeedsOneFails) {
  place.end_slot();
  const sdk::GroupOwner owner = shard.find_group("g").value();
  EXPECT_THROW((void)owner.remove("g"), sdk::Failure);
  EXPECT_NO_THROW((void)owner.subscribes("g", "t"));
}

TEST_F(FacetAsked, WhatAVisitorThrowsArrivesBehindTheHostsFrame) {
  place.owners["h"] = {"classic", other.facet(), &other};
  std::vector<std::string> seen;
  const auto visit = [&](std::string_view group, const sdk::GroupOwner&) {
    seen.emplace_back(group);
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(shard.each_group(visit), std::runtime_error);
  EXPECT_EQ(seen, std::vector<std::string>{"g"});
}

TEST_F(FacetAsked, ExportHandsOutTheOwnersRecords) {
  other.export_writes = {{{'k'}, {'v'}}};
  std::string seen;
  shard.find_group("g")->export_group("g", [&](std::uint64_t, sdk::Bytes key, sdk::Bytes value) {
    seen += std::string{sdk::as_text(key)} + "=" + std::string{sdk::as_text(value)};
  });
  EXPECT_EQ(seen, "k=v");
}

// A protocol whose facet throws wherever it can.
struct Throwing {
  static constexpr muster_api_claim apis[] = {{1000, 0, 0, 0, MUSTER_SCOPE_GROUP, 1}};
  static constexpr const char* shard_space = "groups";
  void route(const sdk::Request&, sdk::RouteSink&) const {}
  void refuse(const sdk::Request&, std::int16_t, std::string_view, sdk::BytesSink&) const {}
  struct Shard {
    Shard(Throwing&, sdk::ShardHost) {}
    void replay(const sdk::Replayed&, sdk::Directory&) {}
    void decide(const sdk::Request&, sdk::Decision&) const {}
    void describe_listed(std::string_view, sdk::ListedSink&) const { fail(); }
    void check_commit(const sdk::Commit&, std::span<std::int16_t>, sdk::Decision&) const { fail(); }
    std::int16_t check_fetch(const sdk::Fetcher&) const { return fail(), std::int16_t{0}; }
    bool subscribes(std::string_view, std::string_view) const { return fail(), false; }
    std::int16_t remove(std::string_view, sdk::Decision&) const { return fail(), std::int16_t{0}; }
    sdk::Expiry expires(std::string_view) const {
      return fail(), sdk::Expiry{sdk::Expiry::When::from_commit, 0, false};
    }
    void export_group(std::string_view, sdk::Decision&, sdk::RecordSink&) const { fail(); }
    static void fail() { throw std::runtime_error("no"); }
  };
};

TEST_F(FacetAsked, AFailedAnswerIsTheOneThatDeletesNothing) {
  const auto& table = sdk::group_protocol_table<Throwing>;
  void* self = table.create(host.table(), nullptr, nullptr);
  void* object = table.shard_open(self, place.table(), nullptr);
  place.owners["t"] = {"throwing", table.facet, object};
  const sdk::GroupOwner owner = shard.find_group("t").value();
  EXPECT_THROW((void)owner.describe_listed("t"), sdk::Failure);
  EXPECT_EQ(owner.check_fetch({"t", "m", 1}), -1);
  EXPECT_TRUE(owner.subscribes("t", "x"));
  EXPECT_EQ(owner.remove("t"), -1);
  EXPECT_EQ(owner.expires("t").when, sdk::Expiry::When::never);
  EXPECT_EQ(host.log_lines.size(), 5U);
  table.shard_close(object);
  table.destroy(self);
}

}  // namespace
