// DescribeGroups for ids that are no classic group of a protocol.
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using protocol::DescribeGroupsRequest;
using protocol::DescribeGroupsResponse;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Described = DescribeGroupsResponse::DescribedGroup;

OFFSETS_TESTS(DescribeGroups);

constexpr std::int32_t read = 3;
constexpr std::int32_t describe = 8;
constexpr std::int32_t group_resource = 3;
constexpr std::int32_t not_asked = std::numeric_limits<std::int32_t>::min();

TEST_P(DescribeGroups, AGroupOfOffsetsAloneIsEmptyAndHasNoType) {
  rig.committed("g", {{"orders", 0, 1}});
  for (std::int16_t version = 0; version <= 6; ++version) {
    const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"g"}}, version);
    EXPECT_EQ(
        response->groups,
        (std::vector<Described>{Described{0, std::nullopt, "g", "Empty", "", "", {}, not_asked}}))
        << version;
  }
}

TEST_P(DescribeGroups, AnUnknownIdIsDeadAndFromVersion6OnAnError) {
  for (std::int16_t version = 0; version <= 5; ++version) {
    const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"x"}}, version);
    EXPECT_EQ(
        response->groups,
        (std::vector<Described>{Described{0, std::nullopt, "x", "Dead", "", "", {}, not_asked}}))
        << version;
  }
  const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"x"}}, 6);
  EXPECT_EQ(response->groups, (std::vector<Described>{Described{
                                  69, "Group x not found.", "x", "Dead", "", "", {}, not_asked}}));
}

TEST_P(DescribeGroups, AnIdOfAnotherTypeIsDeadToo) {
  FakeOwner consumer{"consumer"};
  rig.own("c", consumer);
  rig.committed("c", {{"orders", 0, 1}});
  const auto old = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"c"}}, 5);
  EXPECT_EQ(
      old->groups,
      (std::vector<Described>{Described{0, std::nullopt, "c", "Dead", "", "", {}, not_asked}}));
  const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"c"}}, 6);
  EXPECT_EQ(response->groups,
            (std::vector<Described>{Described{
                69, "Group c is not a classic group.", "c", "Dead", "", "", {}, not_asked}}));
}

TEST_P(DescribeGroups, AnIdWhoseRecordsNobodyReadsIsNotFound) {
  rig.own_by_unknown("u");
  const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"u"}}, 6);
  EXPECT_EQ(response->groups, (std::vector<Described>{Described{
                                  69, "Group u not found.", "u", "Dead", "", "", {}, not_asked}}));
}

TEST_P(DescribeGroups, SeveralIdsAreAnsweredInTheirOrderRepeatedOnesAgain) {
  rig.committed("g", {{"orders", 0, 1}});
  const auto response =
      rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"x", "g", "x", ""}}, 5);
  ASSERT_THAT(response->groups, SizeIs(4));
  EXPECT_EQ(response->groups[0].group_id, "x");
  EXPECT_EQ(response->groups[1].group_state, "Empty");
  EXPECT_EQ(response->groups[2].group_id, "x");
  EXPECT_EQ(response->groups[3].group_state, "Dead");
}

TEST_P(DescribeGroups, NoIdsIsAnEmptyAnswer) {
  const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{}, 5);
  EXPECT_THAT(response->groups, IsEmpty());
}

TEST_P(DescribeGroups, AuthorisedOperationsAreGivenWhereAskedAndWithoutError) {
  rig.committed("g", {{"orders", 0, 1}});
  const DescribeGroupsRequest request{{"g", "x"}, true};
  const std::int32_t all = 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11;
  const auto response = rig.ask<DescribeGroupsResponse>(request, 6);
  EXPECT_EQ(response->groups.at(0).authorized_operations, all);
  EXPECT_EQ(response->groups.at(1).authorized_operations, not_asked);
  rig.host.denied = {{read, group_resource, "g"}};
  EXPECT_EQ(rig.ask<DescribeGroupsResponse>(request, 3)->groups.at(0).authorized_operations,
            all & ~(1 << 3));
}

TEST_P(DescribeGroups, AnUnauthorisedIdIsRefusedAlone) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.committed("h", {{"orders", 0, 1}});
  rig.host.denied = {{describe, group_resource, "g"}};
  const auto response = rig.ask<DescribeGroupsResponse>(DescribeGroupsRequest{{"g", "h"}, true}, 6);
  EXPECT_EQ(response->groups.at(0), (Described{30, std::nullopt, "g", "", "", "", {}, not_asked}));
  EXPECT_EQ(response->groups.at(1).group_state, "Empty");
}

}  // namespace
}  // namespace muster::offsets
