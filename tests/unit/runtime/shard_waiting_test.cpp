// Timers, parked requests, calls, disconnects: what waits in a shard.
#include "unit/runtime/runtime_rig.hpp"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Timers, FireOnceAtTheirTimeAndAreReplacedByKey) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_timer note fired %1\ntimer t 50\nrespond ok");
  rig.ask("timer t 80\nrespond ok");

  rig.advance(79);
  EXPECT_THAT(rig.ask("state"), Not(HasSubstr("g/fired=")));
  rig.advance(1);
  EXPECT_THAT(rig.ask("state"), HasSubstr("g/fired=t;"));
}

TEST(Timers, OfAFailedDecisionNeverStart) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_timer note fired %1\nrespond ok");
  rig.ask("timer t 10\nfail no");

  rig.advance(1000);

  EXPECT_THAT(rig.ask("state"), Not(HasSubstr("g/fired")));
}

TEST(Timers, CanBeCancelled) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_timer note fired %1\ntimer t 10\nrespond ok");
  rig.ask("cancel t\nrespond ok");

  rig.advance(1000);

  EXPECT_THAT(rig.ask("state"), Not(HasSubstr("g/fired")));
}

TEST(Timers, ThatAreDueTogetherDoNotKeepOtherEventsWaiting) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_timer note fired%1 yes\nrespond ok");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "timer t" + std::to_string(i) + " 10\n";
  rig.ask(many + "respond ok");
  const auto fired = [&rig] {
    const std::string notes = rig.digest(MUSTER_DIGEST_NOTED);
    int count = 0;
    for (auto at = notes.find("=yes"); at != notes.npos; at = notes.find("=yes", at + 1)) ++count;
    return count;
  };
  rig.clock.now_ms += 10;
  rig.shard().wake();
  EXPECT_EQ(fired(), 64);

  rig.advance(0);
  EXPECT_EQ(fired(), 100);
}

TEST(Timers, APauseOfTheProcessPushesThemBack) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_timer note fired %1\ntimer session 1000\nrespond ok");

  rig.shard().paused(5000);
  rig.advance(5000);
  EXPECT_THAT(rig.ask("state"), Not(HasSubstr("g/fired=")));
  rig.advance(1000);
  EXPECT_THAT(rig.ask("state"), HasSubstr("g/fired="));
}

TEST(Parking, AParkedRequestIsAnsweredByCompleteFromAnyLaterEvent) {
  RuntimeRig rig;
  rig.open();
  const auto parked = rig.send("park 7 1000");
  EXPECT_EQ(rig.answers->of(parked), "-");

  rig.ask("complete 7 done\nrespond ok");

  EXPECT_EQ(rig.answers->of(parked), "done");
}

TEST(Parking, ACompletionWaitsForDurabilityLikeAnAnswer) {
  RuntimeRig rig;
  rig.open();
  const auto parked = rig.send("park 7 1000");
  rig.store.automatic = false;

  const auto other = rig.send("record k v\ncomplete 7 done\nrespond ok");
  EXPECT_EQ(rig.answers->of(parked), "-");
  rig.store.acknowledge();

  EXPECT_EQ(rig.answers->of(parked), "done");
  EXPECT_EQ(rig.answers->of(other), "ok");
}

TEST(Parking, AtItsDeadlineThePluginMayCompleteOrRenewElseTheHostRefuses) {
  RuntimeRig rig;
  rig.open();
  const auto silent = rig.send("park 7 100");
  rig.advance(100);
  EXPECT_EQ(rig.answers->of(silent), "refused 7");

  rig.ask("note on_expired complete %1 late\nrespond ok");
  const auto completed = rig.send("park 8 100");
  rig.advance(100);
  EXPECT_EQ(rig.answers->of(completed), "late");

  rig.ask("note on_expired park %1 100\nrespond ok");
  const auto renewed = rig.send("park 9 100");
  rig.advance(150);
  EXPECT_EQ(rig.answers->of(renewed), "-");
  rig.ask("complete 9 done\nrespond ok");
  EXPECT_EQ(rig.answers->of(renewed), "done");
}

TEST(Parking, CompletingATokenThatIsGoneChangesNothing) {
  RuntimeRig rig;
  rig.open();
  EXPECT_EQ(rig.ask("complete 99 nobody\nrespond ok"), "ok");
}

TEST(Parking, ATokenInUseIsTheProtocolsFault) {
  RuntimeRig rig;
  rig.open();
  rig.send("park 7 0");
  EXPECT_EQ(rig.ask("park 7 0"), "refused -1");
  EXPECT_THAT(rig.observer.faults, SizeIs(1));
}

TEST(Parking, DrainRefusesWhatIsParkedAndWhatComesAfter) {
  RuntimeRig rig;
  rig.open();
  const auto parked = rig.send("park 7 0");

  rig.shard().drain();

  EXPECT_EQ(rig.answers->of(parked), "refused 15");
  EXPECT_EQ(rig.ask("respond ok"), "refused 15");
}

TEST(Calls, GoOutWhenTheirBatchIsDurableAndTheReplyComesBackAsAnEvent) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_reply note reply %1\nrespond ok");
  rig.store.automatic = false;
  rig.send("record k v\ncall 5 19 7 create it\nrespond ok");
  rig.executor.run_posted();
  EXPECT_THAT(rig.caller.calls, SizeIs(0));

  rig.store.acknowledge();
  rig.executor.run_posted();
  ASSERT_THAT(rig.caller.calls, SizeIs(1));
  EXPECT_EQ(rig.caller.calls[0].first.api_key, 19);
  EXPECT_EQ(rig.caller.calls[0].first.version, 7);

  const std::string answer = "created";
  rig.caller.calls[0].second.body(
      {reinterpret_cast<const std::uint8_t*>(answer.data()), answer.size()});
  EXPECT_THAT(rig.ask("state"), HasSubstr("reply=5 0 created"));
}

TEST(Calls, WithoutAnAnswerTimeOutAndALateReplyIsIgnored) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_reply note reply %1\nrespond ok");
  rig.ask("call 5 1 12 fetch\nrespond ok");
  rig.executor.run_posted();

  rig.advance(30000);
  EXPECT_THAT(rig.ask("state"), HasSubstr("reply=5 7;"));
  rig.ask("note reply none\nrespond ok");
  rig.caller.calls.at(0).second.body({});
  EXPECT_THAT(rig.ask("state"), HasSubstr("reply=none"));
}

TEST(Disconnects, ReachTheProtocolAfterTheConnectionsQueuedRequests) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_disconnect note gone %1\nrespond ok");

  rig.shard().disconnected(42);

  EXPECT_THAT(rig.ask("state"), HasSubstr("gone=42"));
}

TEST(Disconnects, AProtocolMayCloseAConnectionOnceItsBatchIsDurable) {
  RuntimeRig rig;
  rig.open();
  rig.store.automatic = false;
  rig.send("record k v\nclose 42\nrespond ok");
  EXPECT_THAT(rig.caller.closed, SizeIs(0));

  rig.store.acknowledge();

  EXPECT_THAT(rig.caller.closed, ::testing::ElementsAre(42u));
}

}  // namespace
}  // namespace muster::testing
