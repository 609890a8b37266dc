// The options as a host hands them over: with the SDK's rig, on the libraries.
#include <muster/testing/assignor_rig.hpp>
#include <muster/testing/partition_view_builder.hpp>

#include <gmock/gmock.h>

#include "assignor.hpp"

namespace {

using muster::assignors::plugin_of;
using muster::testing::AssignorRig;
using muster::testing::PartitionViewBuilder;
using ::testing::ElementsAre;

// Each of two members is in the rack of the partition that is not in its range.
void set_up(PartitionViewBuilder& group) {
  group.topic("t", 2, {{"b"}, {"a"}});
  group.member({.id = "m", .topics = {"t"}, .rack = "a"});
  group.member({.id = "n", .topics = {"t"}, .rack = "b"});
}

TEST(RackAwareOption, ReachesTheAssignor) {
  for (const std::string name : {"uniform", "range"}) {
    PartitionViewBuilder group;
    set_up(group);
    AssignorRig rig(&plugin_of(name));
    rig.options.set("group.consumer.assignor.rack.aware", "true");
    const auto assigned = rig.assign(group.build());
    EXPECT_EQ(assigned.problem, "") << name;
    EXPECT_THAT(assigned.owner, ElementsAre(1, 0)) << name;
  }
}

TEST(RackAwareOption, IsAskedForTheGroupOfTheView) {
  for (const std::string name : {"uniform", "range"}) {
    PartitionViewBuilder group;
    set_up(group);
    AssignorRig rig(&plugin_of(name));
    rig.options.set("consumer.assignor.rack.aware", "true", "local");
    EXPECT_THAT(rig.assign(group.id("other").build()).owner, ElementsAre(0, 1)) << name;
    EXPECT_THAT(rig.assign(group.id("local").build()).owner, ElementsAre(1, 0)) << name;
  }
}

TEST(RackAwareOption, IsOffByDefault) {
  for (const std::string name : {"uniform", "range"}) {
    PartitionViewBuilder group;
    set_up(group);
    AssignorRig rig(&plugin_of(name));
    EXPECT_THAT(rig.assign(group.build()).owner, ElementsAre(0, 1)) << name;
  }
}

TEST(RackAwareOption, LeavesItToAnotherWhetherRangeKeepsTopicsCoPartitioned) {
  PartitionViewBuilder group;
  group.topic("t", 2, {{"b"}, {"a"}}).topic("u", 2, {{"a"}, {"b"}}).topic("v", 2, {{"b"}, {"a"}});
  group.member({.id = "m", .topics = {"t", "u", "v"}, .rack = "a"});
  group.member({.id = "n", .topics = {"t", "u", "v"}, .rack = "b"});
  AssignorRig together(&plugin_of("range"));
  together.options.set("group.consumer.assignor.rack.aware", "true");
  EXPECT_THAT(together.assign(group.build()).owner, ElementsAre(1, 0, 1, 0, 1, 0));
  AssignorRig alone(&plugin_of("range"));
  alone.options.set("group.consumer.assignor.rack.aware", "true");
  alone.options.set("group.consumer.assignor.range.co.partitioned", "false");
  EXPECT_THAT(alone.assign(group.build()).owner, ElementsAre(1, 0, 0, 1, 1, 0));
}

}  // namespace
