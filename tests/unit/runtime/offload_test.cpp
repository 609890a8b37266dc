// Offloads: one at a time per key, results as events, late workers written off.
#include "unit/runtime/runtime_rig.hpp"

#include <algorithm>

namespace muster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Offload, RunsOnThePoolOnTheInputTakenAfterReplayAndComesBackAsAnEvent) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");

  EXPECT_EQ(rig.ask("note input fresh\noffload key 3 work/echo\nrespond ok"), "ok");
  EXPECT_THAT(rig.ask("state"), Not(HasSubstr("g/task=")));
  rig.executor.run_job();

  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 3 0 worked on key:fresh"));
}

TEST(Offload, OtherRequestsAreAnsweredWhileItRuns) {
  RuntimeRig rig;
  rig.open();
  rig.ask("offload key 1 work/echo\nrespond ok");
  ASSERT_THAT(rig.executor.jobs, SizeIs(1));

  EXPECT_EQ(rig.ask("respond beat"), "beat");
  EXPECT_EQ(rig.ask("respond beat", "another group"), "beat");
}

TEST(Offload, AskedForAgainWhileRunningRunsOnceMoreAfterwardsWithTheNewestEpoch) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");
  rig.ask("offload key 1 work/echo\nrespond ok");
  rig.ask("offload key 2 work/echo\nrespond ok");
  rig.ask("offload key 3 work/echo\nrespond ok");
  ASSERT_THAT(rig.executor.jobs, SizeIs(1));
  EXPECT_EQ(rig.space->offloads_waiting(), 1u);

  rig.executor.run_job();
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 1 0"));
  ASSERT_THAT(rig.executor.jobs, SizeIs(1));
  rig.executor.run_job();
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 3 0"));
  EXPECT_THAT(rig.executor.jobs, SizeIs(0));
  EXPECT_EQ(rig.space->offloads_waiting(), 0u);
}

TEST(Offload, KeysOfOneProtocolRunSideBySide) {
  RuntimeRig rig;
  rig.open();
  rig.ask("offload one 1 work/echo\noffload two 1 work/echo\nrespond ok");
  EXPECT_THAT(rig.executor.jobs, SizeIs(2));
}

TEST(Offload, AFailureIsToldWithItsCodeAndAnEmptyResult) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");
  rig.ask("offload key 1 work/fail\nrespond ok");
  rig.executor.run_job();
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 1 4 ;"));
}

TEST(Offload, PastItsDeadlineTheWorkerIsWrittenOffAndItsLateResultIgnored) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");
  rig.ask("offload key 1 work/echo\nrespond ok");
  const auto late = rig.executor.jobs.front();

  rig.advance(30000);
  EXPECT_EQ(rig.executor.abandoned, 1);
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 1 2 ;"));

  rig.ask("note task none\nrespond ok");
  late->run();
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=none"));
}

TEST(Offload, AResultOfAnEarlierLifeIsDropped) {
  RuntimeRig rig;
  rig.open();
  rig.ask("record on_task note task %1\nrespond ok");
  rig.ask("offload key 1 work/echo\nrespond ok");
  const auto job = rig.executor.jobs.front();
  rig.executor.jobs.clear();
  rig.store.next = MUSTER_UNAVAILABLE;
  rig.ask("record k v\nrespond ok");
  rig.advance(100);
  rig.executor.settle();

  job->run();

  EXPECT_THAT(rig.ask("state"), Not(HasSubstr("task=key")));
}

TEST(Offload, AnUnknownAssignorFailsInsteadOfHanging) {
  RuntimeRig rig;
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");
  rig.ask("offload key 1 muster.consumer.partition-assignor/1 nobody\nrespond ok");
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 1 4 ;"));
}

TEST(Offload, OfAProtocolWithoutWorkFailsInsteadOfCrashing) {
  RuntimeRig rig;
  rig.a.table()->work = nullptr;
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");
  rig.ask("offload key 1 work/echo\nrespond ok");
  EXPECT_THAT(rig.executor.jobs, SizeIs(0));
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 1 4 ;"));
}

TEST(Offload, AnInputThatThrowsIsAFailedOffload) {
  RuntimeRig rig;
  rig.a.table()->task_input = [](void*, muster_str, std::uint64_t, muster_str,
                                 const muster_input_sink*) -> muster_code {
    throw std::runtime_error("thrown");
  };
  rig.open();
  rig.ask("note on_task note task %1\nrespond ok");
  rig.ask("offload key 1 work/echo\nrespond ok");
  EXPECT_THAT(rig.ask("state"), HasSubstr("task=key 1 4 ;"));
}

TEST(Offload, AnAssignorIsNotBlamedForTheTimeItWaitedForAWorker) {
  RuntimeRig rig;
  rig.open();
  rig.assignors.add("i", "good", nullptr, nullptr);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(rig.ask("offload key 1 i good\nrespond ok"), "ok");
    rig.advance(30000);
  }
  EXPECT_EQ(rig.executor.abandoned, 20);
  const host::Assignor* const good = rig.assignors.find("i", "good");
  ASSERT_NE(good, nullptr);
  EXPECT_EQ(good->faults.load(), 0u);
}

TEST(Offload, AnAssignorIsBlamedForARunPastItsDeadline) {
  RuntimeRig rig;
  rig.open();
  muster_partition_assignor_v1 table{};
  table.struct_size = sizeof table;
  table.assign = [](void* self, const muster_partition_assignor_view*, const muster_partition_sink*,
                    const muster_error_sink*) {
    static_cast<RuntimeRig*>(self)->advance(30000);
    return muster_code{MUSTER_OK};
  };
  rig.assignors.add("i", "slow", &table, &rig);
  rig.ask("offload key 1 i slow\nrespond ok");
  rig.executor.run_job();

  EXPECT_EQ(rig.executor.abandoned, 1);
  EXPECT_EQ(rig.assignors.find("i", "slow")->faults.load(), 1u);
}

// A shard whose offload runs while its life is closed and the next one opens.
struct ClosedWhileItRuns {
  ClosedWhileItRuns() {
    rig.open();
    rig.ask("offload key 1 work/echo\nrespond ok");
    job = rig.executor.jobs.front();
    rig.executor.jobs.clear();
    rig.store.next = MUSTER_UNAVAILABLE;
    rig.ask("record k v\nrespond ok");
    rig.advance(100);
    rig.executor.settle();
  }

  RuntimeRig rig;
  std::shared_ptr<host::Job> job;
};

TEST(Offload, OfAClosedLifeThatHangsIsWrittenOffToo) {
  ClosedWhileItRuns closed;
  closed.rig.advance(30000);
  EXPECT_EQ(closed.rig.executor.abandoned, 1);
}

TEST(Offload, OfAClosedLifeThatEndsInTimeIsNotWrittenOff) {
  ClosedWhileItRuns closed;
  closed.job->run();
  closed.rig.advance(30000);
  EXPECT_EQ(closed.rig.executor.abandoned, 0);
}

struct View {
  muster_partition_assignor_view view{};
  std::vector<std::uint32_t> first{0, 2, 3};
  std::vector<muster_str> names{{"t", 1}, {"u", 1}};
  std::vector<muster_uuid> ids{2};
  std::vector<muster_str> members{{"m", 1}, {"n", 1}};
  std::vector<std::uint32_t> subscription{0, 1};
  std::vector<std::uint32_t> subscription_first{0, 2, 3};
  std::vector<std::uint32_t> subscription_topics{0, 1, 1};

  View() {
    view.topic_count = 2;
    view.topic_first = first.data();
    view.topic_names = names.data();
    view.topic_ids = ids.data();
    view.member_count = 2;
    view.member_ids = members.data();
    view.subscription_count = 2;
    view.member_subscription = subscription.data();
    view.subscription_first = subscription_first.data();
    view.subscription_topics = subscription_topics.data();
  }
  std::string check(std::vector<std::uint32_t> owner) const {
    return host::check_assignment(view, owner).value_or("good");
  }
};

TEST(AssignmentCheck, EachSubscribedPartitionGoesToASubscriberOnce) {
  const View view;
  EXPECT_EQ(view.check({0, 0, 1}), "good");
  EXPECT_THAT(view.check({0, MUSTER_NONE, 1}), HasSubstr("t-1 has subscribers but no owner"));
  EXPECT_THAT(view.check({0, 1, 1}), HasSubstr("t-1 was given to 'n'"));
  EXPECT_THAT(view.check({0, 0, 2}), HasSubstr("u-0 was given to member 2 of 2"));
}

TEST(AssignorSet, AfterFaultsInARowTheNextHealthyOneStandsIn) {
  host::AssignorSet set;
  set.add("i", "bad", nullptr, nullptr);
  set.add("i", "good", nullptr, nullptr);
  host::Assignor* const bad = set.find("i", "bad");
  for (std::uint32_t i = 0; i + 1 < host::AssignorSet::faults_max; ++i) {
    EXPECT_FALSE(host::AssignorSet::report(*bad, false));
  }
  EXPECT_EQ(set.find("i", "bad"), bad);
  EXPECT_TRUE(host::AssignorSet::report(*bad, false));
  EXPECT_EQ(set.find("i", "bad")->name, "good");
  EXPECT_EQ(set.find("i", "unheard of"), nullptr);
}

TEST(AssignorSet, OneGoodRunForgivesEarlierFaults) {
  host::AssignorSet set;
  set.add("i", "flaky", nullptr, nullptr);
  host::Assignor* const flaky = set.find("i", "flaky");
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i + 1 < host::AssignorSet::faults_max; ++i) {
      host::AssignorSet::report(*flaky, false);
    }
    host::AssignorSet::report(*flaky, true);
  }
  EXPECT_FALSE(flaky->quarantined.load());
}

}  // namespace
}  // namespace muster::testing
