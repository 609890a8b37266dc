// Range, case by case.
#include <gmock/gmock.h>

#include "outcome.hpp"
#include "under_test.hpp"

namespace muster::assignors {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_P(RangeAssignor, CutsEachTopicAndGivesTheFirstMembersOneMore) {
  const Group group = homogeneous_group(3, 2, 4);

  EXPECT_THAT(range.assign(group), ElementsAre(0, 0, 1, 2, 0, 0, 1, 2));
}

TEST_P(RangeAssignor, LeavesLateMembersWithNothingWhereATopicIsTooSmall) {
  const Group group = homogeneous_group(4, 1, 2);

  EXPECT_THAT(range.assign(group), ElementsAre(0, 1));
}

TEST_P(RangeAssignor, PutsStaticMembersFirstInInstanceOrder) {
  Group group = homogeneous_group(4, 1, 4);
  group.members[1].instance = "b";
  group.members[3].instance = "a";

  EXPECT_THAT(range.assign(group), ElementsAre(3, 1, 0, 2));
}

TEST_P(RangeAssignor, CutsATopicAmongItsSubscribersOnly) {
  Group group = homogeneous_group(3, 2, 4);
  group.subscriptions = {{0, 1}, {1}, {0}};
  group.members[1].subscription = 1;
  group.members[2].subscription = 2;

  EXPECT_THAT(range.assign(group), ElementsAre(0, 0, 2, 2, 0, 0, 1, 1));
}

TEST_P(RangeAssignor, CoPartitionsTopicsOfEqualSize) {
  const Group group = homogeneous_group(7, 3, 23);

  const Owners owners = range.assign(group);

  for (std::size_t p = 0; p < 23; ++p) {
    EXPECT_EQ(owners[p], owners[23 + p]);
    EXPECT_EQ(owners[p], owners[46 + p]);
  }
}

TEST_P(RangeAssignor, IsNotSticky) {
  Group group = homogeneous_group(2, 1, 4);
  group.current = {1, 1, 0, 0};

  EXPECT_THAT(range.assign(group), ElementsAre(0, 0, 1, 1));
}

TEST_P(RangeAssignor, NamesNobodyInAGroupWithoutMembers) {
  EXPECT_THAT(range.assign(Group{}), IsEmpty());
  EXPECT_THAT(range.assign(homogeneous_group(0, 2, 2)), Each(MUSTER_NONE));
}

TEST_P(RangeAssignor, GivesNothingToAMemberThatWantsNothing) {
  Group group = homogeneous_group(3, 1, 4);
  group.subscriptions.push_back({});
  group.members[0].subscription = 1;

  EXPECT_THAT(range.assign(group), ElementsAre(1, 1, 2, 2));
}

TEST_P(RangeAssignor, LeavesATopicThatNobodyWantsAlone) {
  Group group = homogeneous_group(1, 2, 2);
  group.subscriptions = {{1}};

  EXPECT_THAT(range.assign(group), ElementsAre(MUSTER_NONE, MUSTER_NONE, 0, 0));
}

MUSTER_LINKED_AND_LOADED(RangeAssignor);

}  // namespace
}  // namespace muster::assignors
