// Order and failure of a shard's events (docs/architecture.md, "the runtime").
#include "unit/runtime/runtime_rig.hpp"

namespace muster::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Shard, RefusesUntilItsStoreHandsItOverAndLoadsIt) {
  RuntimeRig rig;
  EXPECT_EQ(rig.ask("respond hello"), "refused 16");

  EXPECT_EQ(rig.space->open(), "");
  EXPECT_EQ(rig.ask("respond hello"), "refused 14");

  rig.executor.settle();
  EXPECT_EQ(rig.ask("respond hello"), "hello");
}

TEST(Shard, ADecisionIsReplayedInEmissionOrderBeforeTheNextEvent) {
  RuntimeRig rig;
  rig.open();

  rig.ask("note x 1\nrecord y 2\nnote x 3\nrespond ok");

  EXPECT_EQ(rig.ask("state"), "g/y=2;|g/x=3;");
  EXPECT_THAT(rig.store.committed, ElementsAre(1u));
}

TEST(Shard, AnAnswerWaitsForItsBatchToBeDurable) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;

  const auto write = rig.send("record k v\nrespond written");
  const auto read = rig.send("state");
  EXPECT_EQ(rig.answers->of(write), "-");
  EXPECT_EQ(rig.answers->of(read), "-");

  rig.store.acknowledge();
  EXPECT_EQ(rig.answers->of(write), "written");
  EXPECT_EQ(rig.answers->of(read), "g/k=v;|");
}

TEST(Shard, AReadSeesAnEarlierWriteAndGoesOutAfterIt) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;
  const auto first = rig.send("record k 1\nrespond one");
  const auto second = rig.send("record k 2\nrespond two");
  const auto read = rig.send("state");

  rig.store.acknowledge();
  EXPECT_EQ(rig.answers->of(first), "one");
  EXPECT_EQ(rig.answers->of(read), "-");
  rig.store.acknowledge();

  EXPECT_EQ(rig.answers->of(read), "g/k=2;|");
  EXPECT_THAT(rig.answers->order, ElementsAre(first, second, read));
}

TEST(Shard, NothingIsLeftWaitingWhereTheLastBatchIsAcknowledgedWhileItIsCommitted) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;
  const auto first = rig.send("record k 1\nrespond one");
  rig.store.automatic = rig.store.overtaking = true;

  const auto second = rig.send("record k 2\nrespond two");
  const auto read = rig.send("state");

  EXPECT_THAT(rig.answers->order, ElementsAre(first, second, read));
  EXPECT_EQ(rig.answers->of(read), "g/k=2;|");
}

TEST(Shard, AHeartbeatThatChangesNothingIsAnsweredAtOnceAndWritesNothing) {
  RuntimeRig rig;
  rig.open();

  EXPECT_EQ(rig.ask("timer session 100\nrespond beat"), "beat");
  EXPECT_THAT(rig.store.committed, IsEmpty());
}

TEST(Shard, AFailedDecisionLeavesNoTrace) {
  RuntimeRig rig;
  rig.open();

  EXPECT_EQ(rig.ask("record k v\nnote n v\ntimer t 5\nfail broken"), "refused -1");
  EXPECT_EQ(rig.ask("record k v\nthrow"), "refused -1");

  EXPECT_EQ(rig.ask("state"), "|");
  EXPECT_THAT(rig.store.committed, IsEmpty());
  EXPECT_THAT(rig.observer.faults, ElementsAre("a decide: broken", HasSubstr("thrown")));
}

TEST(Shard, ADecisionThatNeitherAnswersNorParksHasFailed) {
  RuntimeRig rig;
  rig.open();

  EXPECT_EQ(rig.ask("record k v"), "refused -1");
  EXPECT_EQ(rig.ask("state"), "|");
}

TEST(Shard, ADecisionLargerThanTheStoreTakesIsRefusedBeforeReplay) {
  RuntimeRig rig;
  rig.store.table()->max_batch_bytes = 30;
  rig.open();

  EXPECT_EQ(rig.ask("record k " + std::string(40, 'x') + "\nrespond ok"), "refused -1");
  EXPECT_EQ(rig.ask("record k small\nrespond ok"), "ok");
  EXPECT_EQ(rig.ask("state"), "g/k=small;|");
}

TEST(Shard, ARecordThatNobodyClaimsIsRefusedBeforeReplay) {
  RuntimeRig rig;
  rig.open();

  EXPECT_EQ(rig.ask("record k v\nstray k v\nrespond ok"), "refused -1");

  EXPECT_EQ(rig.ask("state"), "|");
  EXPECT_THAT(rig.observer.faults, ElementsAre(HasSubstr("no loaded protocol claims")));
}

TEST(Shard, AnExceptionOutOfReplayClosesTheShardAndNotTheHost) {
  RuntimeRig rig;
  rig.open();

  EXPECT_EQ(rig.ask("record k throw\nrespond ok"), "refused 15");

  rig.advance(100);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "|");
}

TEST(Shard, AnExceptionWhileLoadingIsALoadThatFails) {
  RuntimeRig rig;
  rig.kept()[rig.a.key("g", "k")] = {1, "throw"};
  rig.open();
  EXPECT_EQ(rig.ask("state"), "refused 14");

  rig.kept().clear();
  rig.advance(100);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "|");
}

TEST(Shard, ARefusalThatThrowsClosesTheConnection) {
  RuntimeRig rig;
  rig.a.table()->refuse = [](void*, const muster_request*, std::int16_t, muster_str,
                             const muster_bytes_sink*) -> muster_code {
    throw std::runtime_error("thrown");
  };

  EXPECT_EQ(rig.ask("respond hello"), "(close)");
}

TEST(Shard, AFailedCommitRefusesEverythingBehindItAndLoadsAnew) {
  RuntimeRig rig;
  rig.open();
  rig.ask("record old 1\nnote seen 1\nrespond ok");
  rig.store.automatic = false;
  const auto first = rig.send("record k 1\nrespond one");
  const auto second = rig.send("record k 2\nrespond two");
  const auto read = rig.send("state");

  rig.store.acknowledge(MUSTER_UNAVAILABLE);
  for (const auto slot : {first, second, read}) EXPECT_EQ(rig.answers->of(slot), "refused 15");
  EXPECT_EQ(rig.ask("state"), "refused 14");
  rig.store.acknowledge();  // of the old life: the store has failed it too

  rig.store.automatic = true;
  rig.advance(100);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "g/old=1;|");
  EXPECT_EQ(rig.answers->times[second], 1);
}

TEST(Shard, ACommitThatFailsBeforeItReturnsClosesTheShardToo) {
  RuntimeRig rig;
  rig.open();
  rig.store.next = MUSTER_UNAVAILABLE;

  EXPECT_EQ(rig.ask("record k 1\nrespond one"), "refused 15");

  rig.advance(100);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "|");
}

TEST(Shard, AFencedCommitAnswersNotCoordinatorAndIsNotRetried) {
  RuntimeRig rig;
  rig.open();
  rig.store.next = MUSTER_FENCED;

  rig.ask("record k 1\nrespond one");

  rig.advance(60000);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "refused 16");
}

TEST(Shard, AFencedLoadAnswersNotCoordinatorAndIsNotRetried) {
  RuntimeRig rig;
  rig.store.fail_loads = 1;
  rig.store.load_failure = MUSTER_FENCED;
  rig.open();
  EXPECT_EQ(rig.ask("state"), "refused 16");

  rig.advance(60000);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "refused 16");
}

TEST(Shard, ALostShardRefusesWhatIsParkedAndWhatComes) {
  RuntimeRig rig;
  rig.open();
  const auto parked = rig.send("park 7 0");

  rig.store.lose(0);

  EXPECT_EQ(rig.answers->of(parked), "refused 16");
  EXPECT_EQ(rig.ask("state"), "refused 16");
}

TEST(Shard, ALoadThatFailsIsTriedAgainWithLongerPauses) {
  RuntimeRig rig;
  rig.store.fail_loads = 3;
  rig.open();
  for (const std::int64_t pause : {100, 200}) {
    rig.advance(pause - 1);
    rig.executor.settle();
    EXPECT_EQ(rig.ask("state"), "refused 14");
    rig.advance(1);
    rig.executor.settle();
    EXPECT_EQ(rig.ask("state"), "refused 14");
  }
  rig.advance(400);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "|");
}

TEST(PendingRequest, IsKeptForLongerThanTheCopyThatItIsHandledWith) {
  const muster_request frame{};
  host::PendingRequest pending{&frame, nullptr, {}};
  pending.keep();  // it waits in the queue
  const muster_request with_owner = *pending.request;
  pending.request = &with_owner;

  pending.keep();  // its answer waits

  EXPECT_EQ(pending.request, &pending.stored->request());
}

TEST(Shard, WhatIsLostWhileItLoadsIsNotServed) {
  RuntimeRig rig;
  ASSERT_EQ(rig.space->open(), "");
  ASSERT_EQ(rig.executor.jobs.size(), 1u);  // the load
  rig.store.lose(0);
  rig.executor.settle();

  EXPECT_EQ(rig.ask("state"), "refused 16");
  EXPECT_EQ(rig.shard().epoch(), 0u);
}

TEST(Shard, WhatIsLostWhileItWaitsToLoadIsNotLoaded) {
  RuntimeRig rig;
  rig.open();
  rig.store.next = MUSTER_UNAVAILABLE;
  rig.ask("record lost v\nrespond ok");
  EXPECT_EQ(rig.ask("state"), "refused 14");
  rig.store.lose(0);
  EXPECT_EQ(rig.ask("state"), "refused 16");
  rig.advance(100);
  rig.executor.settle();

  EXPECT_EQ(rig.ask("state"), "refused 16");
}

TEST(Shard, ACommitThatFailsWhileItDrainsDoesNotOpenItAgain) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;
  const auto slot = rig.send("record k v\nrespond ok");
  rig.shard().drain();
  rig.store.acknowledge(MUSTER_UNAVAILABLE);
  EXPECT_EQ(rig.answers->of(slot), "refused 15");
  rig.advance(100);
  rig.executor.settle();

  EXPECT_EQ(rig.ask("state"), "refused 15");
}

TEST(Shard, ReplayThatFailsCommitsNothingOfItsBatchAndLoadsAnew) {
  RuntimeRig rig;
  rig.open();

  EXPECT_EQ(rig.ask("record k 1\nrecord k poison\nrespond ok"), "refused 15");
  EXPECT_THAT(rig.store.committed, IsEmpty());

  rig.advance(100);
  rig.executor.settle();
  EXPECT_EQ(rig.ask("state"), "|");
}

TEST(Shard, TheDurableDigestIsTheSameAfterAReloadAndNotesAreGone) {
  RuntimeRig rig;
  rig.open();
  rig.ask("record own 1\nrecord k v\nnote n v\nrespond ok");
  rig.ask("record k2 v\ntombstone k2\nrespond ok");
  const std::string before = rig.digest(MUSTER_DIGEST_DURABLE);
  rig.store.next = MUSTER_UNAVAILABLE;
  rig.ask("record lost v\nrespond ok");

  rig.advance(100);
  rig.executor.settle();

  EXPECT_EQ(rig.digest(MUSTER_DIGEST_DURABLE), before);
  EXPECT_EQ(rig.digest(MUSTER_DIGEST_NOTED), "");
}

TEST(Shard, WhatOnLoadedDecidesHappensBeforeTheFirstRequest) {
  RuntimeRig rig;
  rig.open();
  rig.ask("record on_loaded note fixed 1;timer t 10\nrespond ok");
  rig.store.next = MUSTER_UNAVAILABLE;
  rig.ask("record lost v\nrespond ok");
  rig.advance(100);
  rig.executor.settle();

  EXPECT_THAT(rig.ask("state"), HasSubstr("|g/fixed=1;"));
}

TEST(Shard, TooMuchUncommittedMakesTheQueueWaitNotFail) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;
  const std::string big(900'000, 'x');
  std::vector<std::uint64_t> slots;
  for (int i = 0; i < 8; ++i) slots.push_back(rig.send("record k " + big + "\nrespond ok"));
  EXPECT_EQ(rig.store.waiting.size(), 5u);  // the fifth passes 4 MB
  EXPECT_EQ(rig.space->stalled(), 1u);

  while (!rig.store.waiting.empty()) rig.store.acknowledge();

  for (const auto slot : slots) EXPECT_EQ(rig.answers->of(slot), "ok");
  EXPECT_EQ(rig.space->stalled(), 0u);
}

TEST(Shard, ABatchThatIsUncommittedForTooLongMakesTheQueueWait) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;
  rig.send("record k 1\nrespond ok");
  rig.advance(5001);
  rig.send("record k 2\nrespond ok");
  const auto waiting = rig.send("record k 3\nrespond ok");
  EXPECT_EQ(rig.store.waiting.size(), 2u);

  while (!rig.store.waiting.empty()) rig.store.acknowledge();

  EXPECT_EQ(rig.answers->of(waiting), "ok");
}

}  // namespace
}  // namespace muster::testing
