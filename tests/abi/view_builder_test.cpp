// The builder makes views as the border defines them.
#include <muster/sdk/partition_assignor.hpp>
#include <muster/testing/partition_view_builder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using muster::sdk::PartitionView;
using muster::testing::PartitionViewBuilder;
using Indexes = std::vector<std::uint32_t>;

Indexes copy(PartitionView::Indexes from) { return {from.begin(), from.end()}; }

TEST(PartitionViewBuilder, LeavesOutTopicsThatNobodySubscribes) {
  PartitionViewBuilder group;
  group.topic("a", 2).topic("unread", 5).topic("b", 3);
  group.member({.id = "m", .topics = {"b", "a", "missing"}});
  const PartitionView view{&group.build()};
  EXPECT_EQ(view.partition_count(), 5U);
  EXPECT_EQ(copy(view.topic_first()), (Indexes{0, 2, 5}));
  EXPECT_EQ(copy(view.subscribed_topics(0)), (Indexes{0, 1}));
  EXPECT_EQ(group.partition("b", 1), 3U);
}

TEST(PartitionViewBuilder, SharesEqualSubscriptionsAndSortsMembers) {
  PartitionViewBuilder group;
  group.topic("a", 1).topic("b", 1);
  group.member({.id = "z", .topics = {"a", "b"}});
  group.member({.id = "c", .topics = {"b", "a"}});
  group.member({.id = "d", .topics = {"b"}});
  const PartitionView view{&group.build()};
  EXPECT_EQ(view.member_ids()[0], "c");
  EXPECT_EQ(view.member_ids()[2], "z");
  EXPECT_EQ(view.subscription_count(), 2U);
  EXPECT_EQ(view.member_subscription()[0], view.member_subscription()[2]);
  EXPECT_NE(view.member_subscription()[0], view.member_subscription()[1]);
}

TEST(PartitionViewBuilder, RanksStaticMembersByInstanceFirst) {
  PartitionViewBuilder group;
  group.topic("a", 1);
  group.member({.id = "1", .topics = {"a"}});
  group.member({.id = "2", .topics = {"a"}, .instance = "y"});
  group.member({.id = "3", .topics = {"a"}, .instance = "x"});
  const PartitionView view{&group.build()};
  EXPECT_EQ(copy(view.instance_rank()), (Indexes{2, 1, 0}));
  EXPECT_EQ(view.instance_id(0), std::nullopt);
  EXPECT_EQ(view.instance_id(2), "x");
}

TEST(PartitionViewBuilder, KnowsRacksAndOldOwners) {
  PartitionViewBuilder group;
  group.topic("a", 2, {{"r2", "r3"}, {}});
  group.member({.id = "m", .topics = {"a"}, .rack = "r1", .owns = {{"a", {1}}}});
  group.member({.id = "n", .topics = {"a"}});
  const PartitionView view{&group.build()};
  EXPECT_EQ(view.racks().size(), 3U);
  EXPECT_EQ(copy(view.member_racks()), (Indexes{0, MUSTER_NONE}));
  EXPECT_EQ(copy(view.partition_racks(0)), (Indexes{1, 2}));
  EXPECT_TRUE(view.partition_racks(1).empty());
  EXPECT_EQ(copy(view.current_owner()), (Indexes{MUSTER_NONE, 0}));
}

TEST(PartitionViewBuilder, AnEmptyGroupIsAnEmptyView) {
  PartitionViewBuilder group;
  const PartitionView view{&group.build()};
  EXPECT_EQ(view.partition_count(), 0U);
  EXPECT_EQ(view.member_count(), 0U);
}

}  // namespace
