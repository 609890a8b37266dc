// ListGroups: every group of a shard, filtered, and the shards' lists put together.
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/list_groups_response.hpp>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using protocol::ListGroupsRequest;
using protocol::ListGroupsResponse;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int32_t describe = 8;
constexpr std::int32_t group_resource = 3;
constexpr std::int32_t cluster_resource = 4;

// b: consumer, Stable. c: streams, NotReady. a and d: offsets alone.
class ListGroups : public OffsetsTest {
 protected:
  ListGroups() {
    streams_.protocol_type = "streams";
    streams_.state = "NotReady";
    rig.committed("d", {{"orders", 0, 1}});
    rig.committed("a", {{"orders", 0, 1}});
    rig.committed("b", {{"orders", 0, 1}});
    rig.own("b", consumer_);
    rig.own("c", streams_);
    rig.own_by_unknown("e");
  }

  std::vector<std::string> names(const ListGroupsRequest& request, std::int16_t version) {
    const auto response = rig.ask<ListGroupsResponse>(request, version);
    EXPECT_EQ(response->error_code, 0);
    std::vector<std::string> out;
    for (const auto& group : response->groups) out.emplace_back(group.group_id);
    return out;
  }

  FakeOwner consumer_{"consumer"};
  FakeOwner streams_{"streams"};
};
BOTH_DOORS(ListGroups);

TEST_P(ListGroups, EveryVersionListsAllInTheOrderOfKafkasTables) {
  for (std::int16_t version = 0; version <= 5; ++version) {
    EXPECT_EQ(names({}, version), (Names{"c", "b", "d", "a"})) << version;
  }
}

TEST_P(ListGroups, GroupsAreCalledWhatTheirOwnersCallThem) {
  using Listed = ListGroupsResponse::ListedGroup;
  const auto response = rig.ask<ListGroupsResponse>(ListGroupsRequest{}, 5);
  EXPECT_EQ(response->groups, (std::vector<Listed>{Listed{"c", "streams", "NotReady", "streams"},
                                                   Listed{"b", "consumer", "Stable", "consumer"},
                                                   Listed{"d", "", "Empty", "classic"},
                                                   Listed{"a", "", "Empty", "classic"}}));
}

TEST_P(ListGroups, StatesAreFilteredWithoutCaseAndTrimmed) {
  EXPECT_EQ(names({{"stable"}, {}}, 4), (Names{"b"}));
  EXPECT_EQ(names({{" EMPTY\t", "notready"}, {}}, 5), (Names{"c", "d", "a"}));
}

TEST_P(ListGroups, TypesAreFilteredWithoutCaseButNotTrimmed) {
  EXPECT_EQ(names({{}, {"Classic"}}, 5), (Names{"d", "a"}));
  EXPECT_EQ(names({{}, {"STREAMS", "consumer"}}, 5), (Names{"c", "b"}));
  EXPECT_THAT(names({{}, {" classic"}}, 5), IsEmpty());
}

TEST_P(ListGroups, NamesThatNothingHasMatchNothingAndAreNoError) {
  EXPECT_THAT(names({{"Happy"}, {}}, 5), IsEmpty());
  EXPECT_THAT(names({{}, {"happy"}}, 5), IsEmpty());
  EXPECT_THAT(names({{"Stable"}, {"classic"}}, 5), IsEmpty());
}

TEST_P(ListGroups, WithoutClusterDescribeOnlyDescribableGroupsAreListed) {
  rig.host.denied = {{describe, group_resource, "a"}, {describe, group_resource, "b"}};
  EXPECT_EQ(names({}, 5), (Names{"c", "b", "d", "a"}));
  rig.host.denied.push_back({describe, cluster_resource, "kafka-cluster"});
  EXPECT_EQ(names({}, 5), (Names{"c", "d"}));
}

TEST_P(ListGroups, GoesToEveryShardWithTheBodyAsItCame) {
  const RequestSpec spec = spec_of(ListGroupsRequest{{"stable"}, {}}, 4);
  const auto routed = rig.route(spec);
  ASSERT_THAT(routed.parts, SizeIs(1));
  EXPECT_TRUE(routed.parts[0].every_shard);
  EXPECT_EQ(routed.parts[0].body, spec.body);
}

Buffer part(std::vector<std::string_view> groups, Error error = Error::none) {
  ListGroupsResponse response;
  response.error_code = protocol::code(error);
  for (const std::string_view group : groups) response.groups.push_back({group, "", "", ""});
  Buffer body;
  protocol::encode(response, 5, body);
  return body;
}

TEST_P(ListGroups, TheListsOfShardsAreConcatenated) {
  const RequestSpec spec = spec_of(ListGroupsRequest{}, 5);
  EXPECT_EQ(rig.join(spec, {part({"x", "y"}), part({}), part({"a"})}), part({"x", "y", "a"}));
}

TEST_P(ListGroups, AShardThatIsNotHereListsNothing) {
  const RequestSpec spec = spec_of(ListGroupsRequest{}, 5);
  EXPECT_EQ(rig.join(spec, {part({"x"}), part({}, Error::not_coordinator)}), part({"x"}));
  EXPECT_EQ(rig.join(spec, {part({}, Error::not_coordinator), part({}, Error::not_coordinator)}),
            part({}));
}

TEST_P(ListGroups, AShardThatIsLoadingFailsTheList) {
  const RequestSpec spec = spec_of(ListGroupsRequest{}, 5);
  EXPECT_EQ(rig.join(spec, {part({"x"}), part({}, Error::coordinator_load_in_progress)}),
            part({}, Error::coordinator_load_in_progress));
}

TEST_P(ListGroups, WithoutAnyShardIsEmpty) {
  EXPECT_EQ(rig.join(spec_of(ListGroupsRequest{}, 5), {}), part({}));
}

TEST_P(ListGroups, AGroupOfOffsetsAloneIsListedAfterAReload) {
  rig.reload();
  EXPECT_EQ(names({}, 5), (Names{"c", "b", "d", "a"}));
}

}  // namespace
}  // namespace muster::offsets
