// Racks, case by case.
#include <gmock/gmock.h>

#include "outcome.hpp"
#include "rack_model.hpp"
#include "under_test.hpp"

namespace muster::assignors {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t nobody = MUSTER_NONE;
constexpr std::uint32_t rackless = UINT32_MAX;

// One topic; members by their racks, partitions by theirs.
Group racked_group(const std::vector<std::uint32_t>& members,
                   const std::vector<std::vector<std::uint32_t>>& partitions) {
  Group group = homogeneous_group(static_cast<std::uint32_t>(members.size()), 1,
                                  static_cast<std::uint32_t>(partitions.size()));
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m] != rackless) group.members[m].rack = rack_name(members[m]);
  }
  group.racks = partitions;
  return group;
}

TEST_P(RackAwareUniform, GivesPartitionsToMembersInTheirRacks) {
  const Group group = racked_group({0, 1, 2}, {{2}, {1}, {0}, {2}, {1}, {0}});

  EXPECT_THAT(uniform.assign(group), ElementsAre(2, 1, 0, 2, 1, 0));
}

TEST_P(RackAwareUniform, LooksAtNoRackUnlessItIsAskedTo) {
  const Assignor by_default("uniform", GetParam());
  const Group group = racked_group({0, 1, 2}, {{2}, {1}, {0}, {2}, {1}, {0}});

  EXPECT_THAT(by_default.assign(group), ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST_P(RackAwareUniform, StaysEvenWhereAllReplicasAreInOneRack) {
  const Group group = racked_group({0, 1}, {{0}, {0}, {0}, {0}, {0}});

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 0, 0, 1, 1));
}

TEST_P(RackAwareUniform, GivesTheExtrasToTheRacksThatHaveUseForThem) {
  const Group group = racked_group({0, 1, 0}, {{0}, {0}, {0}, {0}, {1}});

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 0, 2, 2, 1));
}

TEST_P(RackAwareUniform, PutsAPartitionOfTwoRacksWhereItIsInNobodysWay) {
  const Group group = racked_group({0, 1}, {{0, 1}, {0, 1}, {0}, {0}});

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 1, 0, 0));
}

TEST_P(RackAwareUniform, MovesAPartitionOfTwoRacksOutOfAnothersWay) {
  Group group = racked_group({0, 1}, {{0, 1}, {0}, {0}, {1}});
  group.current = {0, 0, 1, 1};

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 0, 0, 1));
}

TEST_P(RackAwareUniform, MovesAlongAChainOfRacks) {
  Group group = racked_group({0, 1, 2}, {{0}, {0, 1}, {1, 2}});
  group.current = {2, 0, 1};

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 1, 2));
}

TEST_P(RackAwareUniform, MovesNothingThatIsInItsRack) {
  Group group = racked_group({0, 0, 1}, {{0}, {0}, {0}, {0}, {1}, {1}});
  group.current = {1, 0, 0, 1, 2, 2};

  EXPECT_EQ(uniform.assign(group), group.current);
}

TEST_P(RackAwareUniform, LeavesWhereItIsWhatNoMoveBringsIntoItsRack) {
  Group group = racked_group({0, 1}, {{1}, {1}, {1}, {2}});
  group.current = {1, 0, 1, 0};

  EXPECT_EQ(uniform.assign(group), group.current);
}

TEST_P(RackAwareUniform, SwapsWhatIsOutOfRackOnBothSides) {
  Group group = racked_group({0, 1}, {{1}, {0}, {0}, {1}});
  group.current = {0, 1, 0, 1};

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 0, 0, 1));
}

TEST_P(RackAwareUniform, TakesFromTheFullestWhatANewMemberHasInItsRack) {
  Group group = racked_group({0, 0, 1}, {{0}, {0, 1}, {0}, {0, 1}, {0}, {0}});
  group.current = {0, 0, 0, 1, 1, 1};

  const Owners owners = uniform.assign(group);

  EXPECT_THAT(owners, ElementsAre(0, 2, 0, 2, 1, 1));
  EXPECT_EQ(moves(group, owners), 2u);
}

TEST_P(RackAwareUniform, GivesUpWhatIsOutOfRackFirst) {
  Group group = racked_group({0, 1}, {{2}, {0}, {0}, {2}});
  group.current = {0, 0, 0, 0};

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 0, 0, 1));
}

TEST_P(RackAwareUniform, GivesWhatIsLeftToMembersWithoutARack) {
  const Group group = racked_group({rackless, 0}, {{0}, {0}, {1}, {}});

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 1, 0, 0));
}

TEST_P(RackAwareUniform, GivesNoExtraToAMemberWithoutARackWhereAnotherHasUseForIt) {
  const Group group = racked_group({0, rackless}, {{0}, {0}, {0}});

  EXPECT_THAT(loads(group, uniform.assign(group)), ElementsAre(2, 1));
}

TEST_P(RackAwareUniform, IsUniformWithoutRacksWhereReplicasAreEverywhere) {
  const Assignor by_default("uniform", GetParam());
  Group group = racked_group({0, 1, 2}, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}});
  EXPECT_EQ(uniform.assign(group), by_default.assign(group));
  group.current = {0, 0, 0, 0, 2};
  EXPECT_EQ(uniform.assign(group), by_default.assign(group));
}

TEST_P(RackAwareUniform, DoesWithMoreRacksThanMembers) {
  const Group group = racked_group({4, 1}, {{0}, {1}, {2}, {3}, {4}, {5}});

  const Owners owners = uniform.assign(group);

  EXPECT_EQ(owners[1], 1u);
  EXPECT_EQ(owners[4], 0u);
  EXPECT_THAT(loads(group, owners), ElementsAre(3, 3));
}

TEST_P(RackAwareUniform, DoesWithRacksByTheDozen) {
  std::vector<std::uint32_t> members;
  std::vector<std::vector<std::uint32_t>> partitions;
  for (std::uint32_t rack = 0; rack < 30; ++rack) {
    members.push_back(29 - rack);
    partitions.push_back({rack});
    partitions.push_back({rack});
  }
  const Group group = racked_group(members, partitions);

  EXPECT_EQ(count_in_rack(group, uniform.assign(group)), 60u);
}

TEST_P(RackAwareUniform, TreatsAnOwnerThatIsNoMemberAsNobody) {
  Group group = racked_group({0, 1}, {{1}, {0}});
  group.current = {7, nobody};

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 0));
}

TEST_P(RackAwareUniform, ChoosesByRacksAmongThoseThatWantTheSame) {
  Group group = racked_group({0, 1, 0}, {{1}, {0}, {1}, {0}});
  group.topics = {2, 2};
  group.subscriptions = {{0, 1}, {1}};
  group.members[2].subscription = 1;

  const Owners owners = uniform.assign(group);

  EXPECT_THAT(owners, ElementsAre(1, 0, testing::_, testing::_));
  EXPECT_TRUE(is_settled(group, owners));
}

TEST_P(RackAwareUniform, NamesNobodyInAGroupWithoutMembers) {
  EXPECT_THAT(uniform.assign(Group{}), IsEmpty());
  EXPECT_THAT(uniform.assign(homogeneous_group(0, 2, 2)), Each(nobody));
}

TEST_P(RackAwareRange, GivesEachMemberAsManyAsItsRangeInItsRack) {
  const Group group = racked_group({0, 1}, {{1}, {0}, {1}, {0}, {0}});

  EXPECT_THAT(range.assign(group), ElementsAre(1, 0, 1, 0, 0));
}

TEST_P(RackAwareRange, LooksAtNoRackUnlessItIsAskedTo) {
  const Assignor by_default("range", GetParam());
  const Group group = racked_group({0, 1}, {{1}, {0}, {1}, {0}, {0}});

  EXPECT_THAT(by_default.assign(group), ElementsAre(0, 0, 0, 1, 1));
}

TEST_P(RackAwareRange, LeavesInTheRangeWhatIsInItsRackThere) {
  const Group group = racked_group({0, 0, 1}, {{0}, {0}, {0}, {1}, {1}, {0}});

  EXPECT_THAT(range.assign(group), ElementsAre(0, 0, 1, 2, 2, 1));
}

TEST_P(RackAwareRange, MovesCoPartitionedTopicsTogetherToTheRackOfMost) {
  Group group = racked_group({0, 1}, {{1}, {0}, {1}, {0}, {0}, {1}});
  group.topics = {2, 2, 2};
  group.subscriptions = {{0, 1, 2}};

  EXPECT_THAT(range.assign(group), ElementsAre(1, 0, 1, 0, 1, 0));
}

TEST_P(RackAwareRange, MovesTopicsOfOtherSizeOrOtherSubscribersForThemselves) {
  Group group = racked_group({0, 1, 1}, {{1}, {0}, {0}, {1}, {1}, {0}, {1}});
  group.topics = {2, 3, 2};
  group.subscriptions = {{0, 1, 2}, {0, 1}};
  group.members[1].subscription = 1;

  EXPECT_THAT(range.assign(group), ElementsAre(1, 0, 0, 1, 2, 0, 2));
}

TEST_P(RackAwareRange, PlacesEachTopicForItselfIfCoPartitioningIsNotWanted) {
  Settings settings = by_racks;
  settings["group.consumer.assignor.range.co.partitioned"] = "false";
  const Assignor alone("range", GetParam(), settings);
  Group group = racked_group({0, 1}, {{1}, {0}, {1}, {0}, {0}, {1}});
  group.topics = {2, 2, 2};
  group.subscriptions = {{0, 1, 2}};

  EXPECT_THAT(alone.assign(group), ElementsAre(1, 0, 1, 0, 0, 1));
}

TEST_P(RackAwareRange, DepartsFromTheCommonOwnersOnlyWhereATopicHasMoreInRacksByThat) {
  Settings settings = by_racks;
  settings["group.consumer.assignor.range.co.partitioned"] = "false";
  const Assignor alone("range", GetParam(), settings);
  Group group = racked_group({0, 1}, {{1},
                                      {0},
                                      {0},
                                      {1},  //
                                      {1},
                                      {0},
                                      {0},
                                      {1},  //
                                      {0},
                                      {1},
                                      {0},
                                      {1}});
  group.topics = {4, 4, 4};
  group.subscriptions = {{0, 1, 2}};

  EXPECT_THAT(alone.assign(group), ElementsAre(1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1));
}

TEST_P(RackAwareRange, LeavesLateMembersWithNothingWhereATopicIsTooSmall) {
  const Group group = racked_group({0, 0, 1}, {{1}, {1}});

  EXPECT_THAT(range.assign(group), ElementsAre(0, 1));
}

TEST_P(RackAwareRange, NamesNobodyWhereNobodyWantsAnything) {
  EXPECT_THAT(range.assign(Group{}), IsEmpty());
  Group group = racked_group({0}, {{0}, {0}});
  group.subscriptions = {{}};

  EXPECT_THAT(range.assign(group), Each(nobody));
}

MUSTER_LINKED_AND_LOADED(RackAwareUniform);
MUSTER_LINKED_AND_LOADED(RackAwareRange);

}  // namespace
}  // namespace muster::assignors
