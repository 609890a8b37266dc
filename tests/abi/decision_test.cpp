// What an author's emission looks like on the other side.
#include <muster/sdk/decision.hpp>
#include <muster/testing/fake_decision.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

namespace sdk = muster::sdk;
using muster::testing::Buffer;

class Decisions : public testing::Test {
 protected:
  muster::testing::Outcome outcome;
  muster::testing::FakeDecision fake{"me", &outcome};
  sdk::Decision decision{fake.table()};
};

TEST_F(Decisions, AnEmptyValueIsNoTombstone) {
  decision.record(sdk::as_bytes("k"), sdk::Bytes{});
  decision.tombstone(sdk::as_bytes("k"));
  decision.note(sdk::as_bytes("k"), sdk::as_bytes("v"));
  decision.erase_note(sdk::as_bytes("k"));
  const Buffer k{'k'};
  EXPECT_EQ(outcome.writes, (std::vector<muster::testing::Write>{{"me", false, k, Buffer{}},
                                                                 {"me", false, k, std::nullopt},
                                                                 {"me", true, k, Buffer{'v'}},
                                                                 {"me", true, k, std::nullopt}}));
}

TEST_F(Decisions, AnOwnedBodyIsFreedByWhoSendsIt) {
  struct Body : std::vector<std::uint8_t> {
    std::shared_ptr<int> alive;
  };
  Body body;
  body.assign({1, 2, 3});
  body.alive = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = body.alive;
  decision.respond_owned(std::move(body));
  EXPECT_EQ(outcome.response, (Buffer{1, 2, 3}));
  EXPECT_TRUE(alive.expired());
}

TEST_F(Decisions, ForwardsTheRestAsIs) {
  decision.park(7, 250);
  decision.complete(7, sdk::as_bytes("later"));
  decision.timer("s", 45000);
  decision.cancel("s");
  decision.offload("g", 3, "work/regex");
  decision.call({.token = 9, .as_host = true, .api_key = 19, .version = 7, .body = {}});
  decision.close_connection(4);
  decision.no_response();
  ASSERT_EQ(outcome.parks.size(), 1U);
  EXPECT_EQ(outcome.parks[0].deadline_ms, 250U);
  ASSERT_EQ(outcome.completions.size(), 1U);
  EXPECT_EQ(outcome.completions[0].body.size(), 5U);
  EXPECT_EQ(outcome.timers, (std::vector<muster::testing::Timer>{{"s", 45000}, {"s", {}}}));
  ASSERT_EQ(outcome.offloads.size(), 1U);
  EXPECT_EQ(outcome.offloads[0].kind, "work/regex");
  ASSERT_EQ(outcome.calls.size(), 1U);
  EXPECT_TRUE(outcome.calls[0].as_host);
  EXPECT_EQ(outcome.calls[0].api_key, 19);
  EXPECT_EQ(outcome.closed, std::vector<std::uint64_t>{4});
  EXPECT_TRUE(outcome.no_response);
}

TEST_F(Decisions, HandsARequestOn) {
  EXPECT_FALSE(outcome.handed_on);
  decision.hand_on();
  EXPECT_TRUE(outcome.handed_on);
}

}  // namespace
