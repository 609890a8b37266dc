// The plugin through its own entry and table, with the SDK's builders and checks instead of a host.
#include <muster/testing/assignor_rig.hpp>
#include <muster/testing/partition_view_builder.hpp>

#include <gtest/gtest.h>

namespace {

using muster::testing::AssignorRig;
using muster::testing::PartitionViewBuilder;

TEST(RoundRobin, DealsTheNextCardAcrossTopics) {
  PartitionViewBuilder group;
  group.topic("orders", 3).topic("payments", 3);
  group.member({.id = "a", .topics = {"orders", "payments"}});
  group.member({.id = "b", .topics = {"orders", "payments"}});
  const auto& view = group.build();

  AssignorRig rig(muster_plugin_entry(MUSTER_ABI_MAJOR));
  const auto assigned = rig.assign(view);

  EXPECT_EQ(assigned.problem, "");
  EXPECT_EQ(assigned.owner, (std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1}));
}

TEST(RoundRobin, LeavesNonSubscribersOut) {
  PartitionViewBuilder group;
  group.topic("orders", 2).topic("payments", 2);
  group.member({.id = "a", .topics = {"orders"}});
  group.member({.id = "b", .topics = {"orders", "payments"}});
  const auto& view = group.build();

  AssignorRig rig(muster_plugin_entry(MUSTER_ABI_MAJOR), "round-robin");
  const auto assigned = rig.assign(view);

  EXPECT_EQ(assigned.problem, "");
  EXPECT_EQ(assigned.owner[group.partition("payments", 0)], group.member_index("b"));
  EXPECT_EQ(assigned.owner[group.partition("payments", 1)], group.member_index("b"));
}

TEST(RoundRobin, AnEmptyGroupGetsNothing) {
  PartitionViewBuilder group;
  AssignorRig rig(muster_plugin_entry(MUSTER_ABI_MAJOR));
  EXPECT_TRUE(rig.assign(group.build()).owner.empty());
}

}  // namespace
