// Who owns a group id, who is asked, and how an id changes hands.
#include "unit/runtime/runtime_rig.hpp"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;

TEST(Ownership, AnIdThatNobodyOwnsGoesToTheCreator) {
  RuntimeRig rig;
  rig.open();
  EXPECT_EQ(rig.ask("owner"), "");
  EXPECT_EQ(rig.ask("record own 1\nrespond ok"), "ok");
  EXPECT_EQ(rig.a.key("g", "own"), rig.kept().begin()->first);
}

TEST(Ownership, TheOwnerIsAskedIfItClaimsTheApi) {
  RuntimeRig rig;
  rig.kept()[rig.b.key("g", "own")] = {1, "1"};
  rig.open();

  rig.ask("record mine 1\nrespond ok");

  EXPECT_TRUE(rig.kept().contains(rig.b.key("g", "mine")));
}

TEST(Ownership, TheCreatorHearsTheForeignOwnersNameIfThatDoesNotServeTheApi) {
  ScriptProtocol c{{0x4002, 901, true}};
  RuntimeRig rig;
  ASSERT_EQ(rig.protocols.add({"c", c.table(), &c}), "");
  rig.kept()[c.key("g", "own")] = {1, "1"};
  rig.open();

  EXPECT_EQ(rig.ask("owner"), "c");
}

TEST(Ownership, AnOwnerMayHandARequestOnAndWhatElseItDecidedIsDropped) {
  RuntimeRig rig;
  rig.kept()[rig.b.key("g", "own")] = {1, "1"};
  rig.open();

  EXPECT_EQ(rig.ask("record mine 1\ntimer t 1\nhandon\nowner"), "b");

  EXPECT_TRUE(rig.kept().contains(rig.a.key("g", "mine")));
  EXPECT_FALSE(rig.kept().contains(rig.b.key("g", "mine")));
}

TEST(Ownership, WhoGetsARequestHandedOnMayTakeTheGroupOver) {
  RuntimeRig rig;
  rig.kept()[rig.b.key("g", "own")] = {1, "1"};
  rig.kept()[rig.b.key("g", "on_lost")] = {2, "record lost %1"};
  rig.open();
  rig.store.automatic = false;

  const auto slot = rig.send("handon\ndelete g\nrecord own 1\npark 7 0");
  ASSERT_EQ(rig.store.waiting.size(), 1u);
  EXPECT_EQ(rig.store.waiting.front().records.size(), 3u);
  rig.store.acknowledge();
  EXPECT_EQ(rig.answers->of(slot), "-");

  rig.send("complete 7 at last\nrespond ok");
  EXPECT_EQ(rig.answers->of(slot), "at last");
  EXPECT_TRUE(rig.kept().contains(rig.a.key("g", "own")));
  EXPECT_FALSE(rig.kept().contains(rig.b.key("g", "own")));
}

TEST(Ownership, TheCreatorMayNotHandARequestOn) {
  RuntimeRig rig;
  rig.open();
  EXPECT_EQ(rig.ask("record mine 1\nhandon"), "refused -1");
  EXPECT_TRUE(rig.kept().empty());
  EXPECT_THAT(rig.observer.faults.at(0), HasSubstr("a decide: it handed on"));
}

TEST(Ownership, AnOwnerIsToldOnlyAsFarAsTheAskersStructReaches) {
  RuntimeRig rig;
  rig.open();
  ASSERT_EQ(rig.ask("record own 1\nrespond ok"), "ok");
  EXPECT_EQ(rig.ask("whose g"), "a");
}

TEST(Ownership, ASecondOwnerPoisonsTheLoadWithBothNames) {
  RuntimeRig rig;
  rig.kept()[rig.a.key("g", "own")] = {1, "1"};
  rig.kept()[rig.b.key("g", "own")] = {2, "1"};
  rig.open();

  EXPECT_EQ(rig.ask("state"), "refused 14");
  EXPECT_THAT(rig.observer.lines.at(0), HasSubstr("'a'"));
  EXPECT_THAT(rig.observer.lines.at(0), HasSubstr("'b'"));
}

TEST(Ownership, RecordsThatNobodyClaimsAreKeptAndTheirGroupsRefused) {
  ScriptProtocol stranger{{0x5000, 902, true}};
  RuntimeRig rig;
  rig.kept()[stranger.key("g", "own")] = {1, "1"};
  rig.open();

  EXPECT_EQ(rig.ask("respond ok"), "refused 69");
  EXPECT_EQ(rig.ask("respond ok", "other"), "ok");
  EXPECT_EQ(rig.kept().size(), 1u);
  EXPECT_THAT(rig.observer.lines.at(0), HasSubstr("no loaded plugin claims"));
}

TEST(Ownership, WhatAnUnloadedPluginLeftForAnOwnedGroupDoesNotTakeItAway) {
  ScriptProtocol stranger{{0x5000, 902, true}};
  for (const auto& [stray_at, own_at] : {std::pair{1u, 2u}, std::pair{2u, 1u}}) {
    RuntimeRig rig;
    rig.kept()[stranger.key("g", "offset")] = {stray_at, "1"};
    rig.kept()[rig.b.key("g", "own")] = {own_at, "1"};
    rig.open();

    EXPECT_EQ(rig.ask("record mine 1\nrespond ok"), "ok");
    EXPECT_TRUE(rig.kept().contains(rig.b.key("g", "mine")));
    EXPECT_THAT(rig.observer.lines.at(0), HasSubstr("keeps 1 records of types (20480)"));
  }
}

TEST(Ownership, AnIdThatChangesHandsInABatchTellsBothOwnersIntoTheSameBatch) {
  RuntimeRig rig;
  rig.kept()[rig.b.key("g", "own")] = {1, "1"};
  rig.kept()[rig.b.key("g", "on_lost")] = {2, "note lost %1"};
  rig.kept()[rig.a.key("g", "on_gained")] = {3, "record gained %1"};
  rig.open();
  rig.store.automatic = false;

  // a's request for another group exports and takes over: b tombstones `own`, a writes its own.
  const auto slot = rig.send("export g\nrespond taken", "h");
  rig.store.acknowledge();
  EXPECT_EQ(rig.answers->of(slot), "taken");
  EXPECT_FALSE(rig.kept().contains(rig.b.key("g", "own")));

  rig.send("record own 1\nrespond mine");
  rig.store.acknowledge();
  EXPECT_TRUE(rig.kept().contains(rig.a.key("g", "own")));
}

TEST(Ownership, DeletingThroughTheFacetIsOneBatchWithTheCallersRecords) {
  RuntimeRig rig;
  rig.kept()[rig.b.key("g", "own")] = {1, "1"};
  rig.open();
  rig.store.automatic = false;

  rig.send("delete g\nrecord offsets gone\nrespond ok", "h");

  ASSERT_EQ(rig.store.waiting.size(), 1u);
  const auto& records = rig.store.waiting.front().records;
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].first, rig.b.key("g", "own"));
  EXPECT_FALSE(records[0].second.has_value());
  EXPECT_EQ(records[1].first, rig.a.key("h", "offsets"));
}

TEST(Claims, TwoCreatorsOfOneApiAreRefused) {
  ScriptProtocol a{{0x4000, 900, true}};
  ScriptProtocol b{{0x4001, 900, true}};
  host::ProtocolSet set;
  EXPECT_EQ(set.add({"a", a.table(), &a}), "");
  EXPECT_THAT(set.add({"b", b.table(), &b}), HasSubstr("'a' and 'b'"));
}

TEST(Claims, ClaimantsOfOneApiMustClaimTheSameVersions) {
  ScriptProtocol a{{0x4000, 900, true}};
  ScriptProtocol b{{0x4001, 900, false}};
  muster_api_claim other = b.table()->apis[0];
  other.max = 7;
  b.table()->apis = &other;
  host::ProtocolSet set;
  EXPECT_EQ(set.add({"a", a.table(), &a}), "");
  EXPECT_THAT(set.add({"b", b.table(), &b}), HasSubstr("other versions"));
}

TEST(Claims, OverlappingRecordTypesAreRefusedWithBothNames) {
  ScriptProtocol a{{0x4000, 900, true}};
  ScriptProtocol b{{0x4000, 901, true}};
  host::ProtocolSet set;
  EXPECT_EQ(set.add({"a", a.table(), &a}), "");
  EXPECT_THAT(set.add({"b", b.table(), &b}), HasSubstr("16384"));
}

}  // namespace
}  // namespace muster::testing
