// ApiTable: who serves which key, and which claims cannot stand side by side.
#include "dispatch/api_table.hpp"

#include "support/manual_store.hpp"
#include "support/manual_world.hpp"
#include "support/script_protocol.hpp"
#include "support/space_context.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::host {
namespace {

using ::testing::HasSubstr;

constexpr std::int16_t key = 900;

// A space "groups" with scripted protocols that claim API 900 in versions 0-1.
struct SpaceOf {
  SpaceOf(std::string name, std::vector<testing::ScriptProtocol*> all) {
    char letter = 'a';
    for (testing::ScriptProtocol* one : all) {
      EXPECT_EQ(protocols.add({std::string(1, letter++), one->table(), one}), "");
    }
    SpaceContext context = testing::space_context(*this);
    context.name = std::move(name);
    context.store = store.table();
    space = std::make_unique<Space>(std::move(context));
  }

  ProtocolSet protocols;
  testing::ManualStore store;
  testing::ManualClock clock;
  testing::ManualExecutor executor;
  testing::RecordingCaller caller;
  testing::RecordingObserver observer;
  Metadata metadata;
  AssignorSet assignors;
  std::atomic<std::uint64_t> ids{0};
  std::unique_ptr<Space> space;
};

struct BrokerOf {
  explicit BrokerOf(std::vector<muster_api_claim> its_claims) : claims(std::move(its_claims)) {
    table.struct_size = sizeof table;
    table.apis = claims.data();
    table.api_count = static_cast<std::uint32_t>(claims.size());
  }
  Broker broker() const { return {"embedded", &table, nullptr}; }

  std::vector<muster_api_claim> claims;
  muster_broker_v1 table{};
};

TEST(ApiTable, FindsNearAndFarKeysAndNothingElse) {
  ApiTable apis;
  const BrokerOf broker({{0, 3, 13, 9, MUSTER_SCOPE_BROKER, 0},
                         {127, 0, 0, 0, 0, 0},
                         {128, 0, 0, 0, 0, 0},
                         {-5, 0, 0, 0, 0, 0}});
  EXPECT_EQ(apis.add_broker(broker.broker()), "");
  for (const std::int16_t present : {0, 127, 128, -5}) {
    ASSERT_NE(apis.find(present), nullptr) << present;
    EXPECT_EQ(apis.find(present)->claim.key, present);
  }
  for (const std::int16_t absent : {1, 126, 129, -1, -32768, 32767}) {
    EXPECT_EQ(apis.find(absent), nullptr) << absent;
  }
}

TEST(ApiTable, WhatTheHostAnswersCannotBeClaimed) {
  ApiTable apis;
  EXPECT_EQ(apis.add_built_in(BuiltIn::api_versions, {18, 0, 5, 3, 0, 0}), "");
  EXPECT_EQ(apis.add_built_in(BuiltIn::find_coordinator, {key, 0, 1, 1, 0, 0}), "");
  const BrokerOf broker({{18, 0, 5, 3, 0, 0}});
  EXPECT_EQ(apis.add_broker(broker.broker()),
            "'embedded' claims API key 18, which the host itself answers");
  testing::ScriptProtocol a{{0x4000, key, true}};
  SpaceOf groups("groups", {&a});
  EXPECT_EQ(apis.add_space(*groups.space), "'a' claims API key 900, which the host itself answers");
}

TEST(ApiTable, TwoSpacesCannotClaimOneKey) {
  ApiTable apis;
  testing::ScriptProtocol a{{0x4000, key, true}};
  testing::ScriptProtocol b{{0x4001, key, true}};
  SpaceOf groups("groups", {&a});
  SpaceOf others("others", {&b});
  EXPECT_EQ(apis.add_space(*groups.space), "");
  EXPECT_EQ(apis.add_space(*others.space),
            "API key 900 is claimed in the shard spaces 'groups' and 'others'");
}

TEST(ApiTable, AKeySharedWithTheBrokerNeedsTheSameVersions) {
  for (const muster_api_claim& other :
       {muster_api_claim{key, 1, 1, 1, 0, 0}, muster_api_claim{key, 0, 2, 1, 0, 0},
        muster_api_claim{key, 0, 1, 0, 0, 0}}) {
    ApiTable apis;
    testing::ScriptProtocol a{{0x4000, key, true}};
    SpaceOf groups("groups", {&a});
    EXPECT_EQ(apis.add_space(*groups.space), "");
    const BrokerOf broker({other});
    EXPECT_THAT(apis.add_broker(broker.broker()), HasSubstr("other versions by 'embedded'"));
  }
}

TEST(ApiTable, OneOfProtocolsAndBrokerCreates) {
  const auto broker_creates = [](bool protocol_creates, std::uint16_t broker_claims) {
    ApiTable apis;
    testing::ScriptProtocol a{{0x4000, key, protocol_creates}};
    SpaceOf groups("groups", {&a});
    EXPECT_EQ(apis.add_space(*groups.space), "");
    const BrokerOf broker({{key, 0, 1, 1, MUSTER_SCOPE_GROUP, broker_claims}});
    const std::string why = apis.add_broker(broker.broker());
    if (!why.empty()) return why;
    return std::string(apis.find(key)->broker_creates() ? "broker" : "protocol");
  };
  EXPECT_EQ(broker_creates(true, 0), "protocol");
  EXPECT_EQ(broker_creates(false, 0), "protocol");
  EXPECT_EQ(broker_creates(false, 1), "broker");
  EXPECT_THAT(broker_creates(true, 1), HasSubstr("two claimants that create"));
}

TEST(ApiTable, EntriesAscendByKey) {
  ApiTable apis;
  const BrokerOf broker({{300, 0, 0, 0, 0, 0}, {3, 0, 13, 9, 0, 0}, {-1, 0, 0, 0, 0, 0}});
  EXPECT_EQ(apis.add_broker(broker.broker()), "");
  std::vector<std::int16_t> keys;
  for (const auto& [number, entry] : apis.entries()) keys.push_back(number);
  EXPECT_THAT(keys, ::testing::ElementsAre(-1, 3, 300));
}

}  // namespace
}  // namespace muster::host
