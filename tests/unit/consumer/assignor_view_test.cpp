// The view that assignors get of a group.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::IsEmpty;
using Numbers = std::vector<std::uint32_t>;

class ConsumerGroupAssignorView : public ::testing::TestWithParam<Door> {
 protected:
  // The view of the newest run.
  const muster_partition_assignor_view& view() { return rig.runs.back().view(); }
  static Numbers numbers(const std::uint32_t* from, std::size_t count) {
    return {from, from + count};
  }
  static std::vector<std::string> texts(const muster_str* from, std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(from[i].data == nullptr ? "(null)" : testing::copy_of(from[i]));
    }
    return out;
  }
  Numbers subscription(std::uint32_t member) {
    const std::uint32_t s = view().member_subscription[member];
    return numbers(view().subscription_topics + view().subscription_first[s],
                   view().subscription_first[s + 1] - view().subscription_first[s]);
  }

  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupAssignorView);

TEST_P(ConsumerGroupAssignorView, SaysWhoseItIs) {
  rig.topic("t", {.partitions = 1});
  rig.send(joins("m1", {"t"}));
  EXPECT_EQ(testing::copy_of(view().group_id), "g");
}

TEST_P(ConsumerGroupAssignorView, TopicsAreInTheOrderOfTheirIdsAsJavaComparesThem) {
  rig.topic("second", {.partitions = 2, .id = 2});
  rig.topic("first", {.partitions = 3, .id = 0xFFFFFFFFFFFFFFFF});  // negative in Java
  rig.topic("third", {.partitions = 1, .id = 3});
  rig.send(joins("m1", {"first", "missing", "second", "third"}));
  EXPECT_EQ(texts(view().topic_names, view().topic_count), (Lines{"first", "second", "third"}));
  EXPECT_EQ(numbers(view().topic_first, 4), (Numbers{0, 3, 5, 6}));
  EXPECT_EQ(subscription(0), (Numbers{0, 1, 2}));
}

TEST_P(ConsumerGroupAssignorView, MembersAreInIdOrderAndRankedStaticFirst) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.topic("foo", 1);
  rig.beat(joins("b", {"foo"}));
  rig.beat(joins("d", {"foo"}).with_instance("x"));
  rig.beat(joins("c", {"foo"}).with_instance("y"));
  rig.send(joins("a", {"foo"}));
  EXPECT_EQ(texts(view().member_ids, view().member_count), (Lines{"a", "b", "c", "d"}));
  EXPECT_EQ(texts(view().instance_ids, view().member_count), (Lines{"(null)", "(null)", "y", "x"}));
  EXPECT_EQ(numbers(view().instance_rank, 4), (Numbers{2, 3, 1, 0}));
}

TEST_P(ConsumerGroupAssignorView, EqualSubscriptionsAreShared) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.topic("bar", 1);
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo", "bar"}));
  rig.beat(joins("m2", {"bar", "foo"}));
  EXPECT_EQ(rig.send(joins("m3", {"foo"})), std::nullopt);
  EXPECT_EQ(view().subscription_count, 2U);
  EXPECT_EQ(numbers(view().member_subscription, 3), (Numbers{0, 0, 1}));
  EXPECT_EQ(subscription(2), (Numbers{1}));
}

TEST_P(ConsumerGroupAssignorView, OneSubscriptionIsAHomogeneousGroup) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}));
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(view().subscription_count, 1U);
}

TEST_P(ConsumerGroupAssignorView, TheSubscriptionIsNamesAndMatchesWithoutRepetition) {
  rig.topic("bar", 1);
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"foo"}).with_regex("foo|bar"));
  rig.match();
  rig.pass(1000);
  rig.send(beats("m1", 2));
  EXPECT_EQ(subscription(0), (Numbers{0, 1}));
}

TEST_P(ConsumerGroupAssignorView, AMemberThatSubscribesToNothingIsThereWithNothing) {
  rig.topic("foo", 2);
  rig.send(joins("m1", {}));
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(view().member_count, 2U);
  EXPECT_THAT(subscription(0), IsEmpty());
  EXPECT_EQ(rig.finish(), (Answers{ok("m2", 2, "foo:0,1")}));
}

TEST_P(ConsumerGroupAssignorView, CurrentOwnersAreTheLastTargets) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.topic("bar", 2);
  rig.topic("foo", 3);
  rig.beat(joins("m2", {"bar", "foo"}));
  rig.beat(joins("m1", {"bar", "foo"}));
  rig.topic("foo", 4);
  rig.send(beats("m2", 2));
  const Numbers before = numbers(view().current_owner, 6);
  EXPECT_EQ(before.back(), MUSTER_NONE);  // the new partition
  EXPECT_EQ(std::count(before.begin(), before.end(), 0U), 2);
  EXPECT_EQ(std::count(before.begin(), before.end(), 1U), 3);
}

TEST_P(ConsumerGroupAssignorView, ADeletedTopicHasNoPlaceInIt) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.topic("bar", 2);
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"bar", "foo"}));
  rig.remove_topic("bar");
  rig.send(beats("m1", 2));
  EXPECT_EQ(texts(view().topic_names, view().topic_count), (Lines{"foo"}));
  EXPECT_EQ(numbers(view().current_owner, 1), (Numbers{0}));
}

TEST_P(ConsumerGroupAssignorView, RacksAreSortedAndNumbered) {
  rig.options.set("consumer.assignment.interval.ms", "0", "g");
  rig.topic("foo", {.partitions = 3, .racks = {{"b", "c"}, {}, {"a", "b"}}});
  rig.beat(joins("m1", {"foo"}).with_rack("d"));
  rig.send(joins("m2", {"foo"}));
  EXPECT_EQ(texts(view().racks, view().rack_count), (Lines{"a", "b", "c", "d"}));
  EXPECT_EQ(numbers(view().member_racks, 2), (Numbers{3, MUSTER_NONE}));
  EXPECT_EQ(numbers(view().partition_rack_first, 4), (Numbers{0, 2, 2, 4}));
  EXPECT_EQ(numbers(view().partition_racks, 4), (Numbers{1, 2, 0, 1}));
}

TEST_P(ConsumerGroupAssignorView, AnUnknownGroupGivesNoInput) {
  const testing::Offload task{"assign nobody", 2, "muster.consumer.partition-assignor/1 uniform"};
  const muster_input_sink sink{sizeof sink, nullptr, nullptr, nullptr};
  EXPECT_EQ(rig.task_input(task, &sink), MUSTER_UNAVAILABLE);
  EXPECT_EQ(rig.task_input({"nonsense", 2, "x"}, &sink), MUSTER_INVALID_ARGUMENT);
}

TEST_P(ConsumerGroupAssignorView, OneExpressionIsAHomogeneousGroupUntilNamesComeBesideIt) {
  rig.topic("foo", 1);
  rig.topic("bar", 1);
  rig.send(joins_regex("m1", "foo"));
  rig.match();
  rig.send(beats("m1", 1));
  EXPECT_EQ(view().subscription_count, 1U);
  // As in Kafka even where all members have the same.
  rig.send(joins("m1", {"bar"}).with_regex("foo").in("h"));
  EXPECT_EQ(view().subscription_count, 2U);
  EXPECT_EQ(numbers(view().member_subscription, 1), (Numbers{0}));
}

}  // namespace
}  // namespace muster::consumer
