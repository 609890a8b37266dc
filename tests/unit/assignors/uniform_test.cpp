// Uniform, case by case.
#include <gmock/gmock.h>

#include "outcome.hpp"
#include "under_test.hpp"

namespace muster::assignors {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t nobody = MUSTER_NONE;

TEST_P(UniformAssignor, GivesTheLastMembersOneMoreOnAFirstAssignment) {
  const Group group = homogeneous_group(3, 2, 4);

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 0, 1, 1, 1, 2, 2, 2));
}

TEST_P(UniformAssignor, TakesFromTheFullestForANewMember) {
  Group group = homogeneous_group(3, 1, 6);
  group.current = {0, 0, 0, 1, 1, 1};

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 0, 2, 1, 1, 2));
}

TEST_P(UniformAssignor, LetsTheExtraStayWhereItIs) {
  Group group = homogeneous_group(2, 1, 5);
  group.current = {1, 1, 1, 0, 0};

  EXPECT_EQ(uniform.assign(group), group.current);
}

TEST_P(UniformAssignor, GivesUnownedPartitionsBeforeThoseTakenAway) {
  Group group = homogeneous_group(3, 1, 6);
  group.current = {0, 0, 0, 0, nobody, nobody};

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 0, 2, 2, 1, 1));
}

TEST_P(UniformAssignor, TreatsAnOwnerThatIsNoMemberAsNobody) {
  Group group = homogeneous_group(2, 1, 4);
  group.current = {7, 0, 1, 7};

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 0, 1, 1));
}

TEST_P(UniformAssignor, MovesNothingWhenNothingChanged) {  // G093
  Group group = homogeneous_group(4, 3, 7);
  group.current = uniform.assign(group);
  EXPECT_EQ(uniform.assign(group), group.current);

  Group mixed = homogeneous_group(4, 3, 7);
  mixed.subscriptions = {{0, 1, 2}, {1, 2}, {0}};
  mixed.members[1].subscription = 1;
  mixed.members[2].subscription = 2;
  mixed.current = uniform.assign(mixed);
  EXPECT_EQ(uniform.assign(mixed), mixed.current);
}

TEST_P(UniformAssignor, MovesOnlyThePartitionsOfTheOneThatLeft) {  // G049
  Group group = homogeneous_group(5, 2, 10);
  group.current = uniform.assign(group);
  group.members.pop_back();
  for (std::uint32_t& owner : group.current) owner = owner == 4 ? nobody : owner;

  const Owners owners = uniform.assign(group);

  EXPECT_EQ(moves(group, owners), 0u);
  EXPECT_TRUE(is_even(group, owners));
  EXPECT_TRUE(is_complete(group, owners));
}

TEST_P(UniformAssignor, GivesAMemberThatWantsNothingNothing) {  // G106
  Group group = homogeneous_group(2, 1, 3);
  group.subscriptions.push_back({});
  group.members[0].subscription = 1;
  group.current = {0, 0, 1};

  EXPECT_THAT(uniform.assign(group), ElementsAre(1, 1, 1));
}

TEST_P(UniformAssignor, NamesNobodyWhereNobodyWantsAnything) {
  Group group = homogeneous_group(2, 0, 0);

  EXPECT_THAT(uniform.assign(group), IsEmpty());
}

TEST_P(UniformAssignor, NamesNobodyInAGroupWithoutMembers) {
  EXPECT_THAT(uniform.assign(Group{}), IsEmpty());
  EXPECT_THAT(uniform.assign(homogeneous_group(0, 2, 2)), Each(nobody));
}

TEST_P(UniformAssignor, LeavesATopicThatNobodyWantsAlone) {
  Group group = homogeneous_group(1, 2, 2);
  group.subscriptions = {{1}};

  EXPECT_THAT(uniform.assign(group), ElementsAre(nobody, nobody, 0, 0));
}

TEST_P(UniformAssignor, LeavesMembersWithNothingWhereThereAreTooFewPartitions) {
  const Group group = homogeneous_group(4, 1, 2);

  EXPECT_THAT(uniform.assign(group), ElementsAre(2, 3));
}

TEST_P(UniformAssignor, TakesTwoEqualSubscriptionsForAMixedGroup) {
  Group group = homogeneous_group(3, 1, 6);
  group.subscriptions.push_back({0});
  group.members[2].subscription = 1;

  EXPECT_THAT(uniform.assign(group), ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST_P(UniformAssignor, TakesAwayWhatAMemberNoLongerWants) {
  Group group = homogeneous_group(2, 2, 2);
  group.subscriptions = {{0, 1}, {1}};
  group.members[1].subscription = 1;
  group.current = {1, 1, 0, 0};

  const Owners owners = uniform.assign(group);

  EXPECT_THAT(owners, ElementsAre(0, 0, 1, 1));
}

TEST_P(UniformAssignor, EvensMixedSubscriptionsOutBeforeItIsSticky) {
  Group group = homogeneous_group(3, 2, 4);
  group.subscriptions = {{0}, {0, 1}};
  group.members[1].subscription = 1;
  group.members[2].subscription = 1;
  group.current = {1, 1, 1, 1, 2, 2, 2, 2};

  const Owners owners = uniform.assign(group);

  EXPECT_TRUE(is_settled(group, owners));
  EXPECT_THAT(loads(group, owners), ElementsAre(2, 3, 3));
  EXPECT_EQ(moves(group, owners), 3u);
}

TEST_P(UniformAssignor, SharesNoListWhereSubscriptionsAreMany) {
  // More than one word of subscriptions: member m wants topics m and m + 1.
  Group group = homogeneous_group(80, 81, 3);
  group.subscriptions.clear();
  for (std::uint32_t m = 0; m < 80; ++m) {
    group.subscriptions.push_back({m, m + 1});
    group.members[m].subscription = m;
  }

  const Owners owners = uniform.assign(group);

  EXPECT_TRUE(is_complete(group, owners));
  EXPECT_TRUE(is_settled(group, owners));
}

MUSTER_LINKED_AND_LOADED(UniformAssignor);

}  // namespace
}  // namespace muster::assignors
