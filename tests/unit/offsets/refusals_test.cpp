// What the host answers through the plugin when it answers in its place, and where requests go.
#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/delete_groups_response.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/list_groups_response.hpp>
#include <muster/protocol/messages/offset_delete_request.hpp>
#include <muster/protocol/messages/offset_delete_response.hpp>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

OFFSETS_TESTS(OffsetsRefusal);
OFFSETS_TESTS(OffsetsRoute);
OFFSETS_TESTS(OffsetsClaims);

constexpr std::int16_t loading = 14;
constexpr std::int16_t not_available = 15;
constexpr std::int16_t not_coordinator = 16;

protocol::OffsetFetchRequest fetch_of(std::string_view group) {
  protocol::OffsetFetchRequest request;
  request.group_id = group;
  request.topics = {{"orders", {0, 1}}};
  request.groups = {{group, std::nullopt, -1, {{{"orders", topic_id(1), {0, 1}}}}},
                    {"other", std::nullopt, -1, std::nullopt}};
  return request;
}

template <class Response, class Message>
Decoded<Response> refused(OffsetsRig& rig, const Message& message, std::int16_t version,
                          std::int16_t error) {
  return {rig.refuse(spec_of(message, version), error), version};
}

TEST_P(OffsetsRefusal, ACommitIsRefusedPartitionByPartition) {
  const auto request = rig.commit_request("g", {{"orders", 0, 1}, {"orders", 1, 1}});
  for (std::int16_t version = 2; version <= 10; ++version) {
    const auto response =
        refused<protocol::OffsetCommitResponse>(rig, request, version, not_coordinator);
    ASSERT_THAT(response->topics, SizeIs(1)) << version;
    EXPECT_EQ(response->topics[0].name, version >= 10 ? "" : "orders");
    if (version >= 10) {
      EXPECT_EQ(response->topics[0].topic_id, topic_id(1));
    }
    for (const auto& partition : response->topics[0].partitions) {
      EXPECT_EQ(partition.error_code, not_coordinator);
    }
    EXPECT_THAT(response->topics[0].partitions, SizeIs(2));
  }
}

TEST_P(OffsetsRefusal, AFetchOfVersion1IsRefusedPartitionByPartition) {
  const auto response =
      refused<protocol::OffsetFetchResponse>(rig, fetch_of("g"), 1, not_coordinator);
  ASSERT_THAT(response->topics, SizeIs(1));
  ASSERT_THAT(response->topics[0].partitions, SizeIs(2));
  for (const auto& partition : response->topics[0].partitions) {
    EXPECT_EQ(partition.error_code, not_coordinator);
    EXPECT_EQ(partition.committed_offset, -1);
    EXPECT_EQ(partition.metadata, "");
  }
}

TEST_P(OffsetsRefusal, AFetchOfVersions2To7IsRefusedAtTheTop) {
  for (std::int16_t version = 2; version <= 7; ++version) {
    const auto response =
        refused<protocol::OffsetFetchResponse>(rig, fetch_of("g"), version, not_coordinator);
    EXPECT_EQ(response->error_code, not_coordinator) << version;
    EXPECT_THAT(response->topics, IsEmpty()) << version;
  }
}

TEST_P(OffsetsRefusal, AFetchFromVersion8OnIsRefusedGroupByGroup) {
  for (std::int16_t version = 8; version <= 10; ++version) {
    const auto response =
        refused<protocol::OffsetFetchResponse>(rig, fetch_of("g"), version, loading);
    ASSERT_THAT(response->groups, SizeIs(2)) << version;
    EXPECT_EQ(response->groups[0].group_id, "g");
    EXPECT_EQ(response->groups[1].group_id, "other");
    for (const auto& group : response->groups) {
      EXPECT_EQ(group.error_code, loading);
      EXPECT_THAT(group.topics, IsEmpty());
    }
  }
}

// Old consumers know neither code in this answer; NOT_COORDINATOR makes them look again.
TEST_P(OffsetsRefusal, AFetchIsNeverToldThatTheCoordinatorIsNotAvailable) {
  for (const std::int16_t error : {not_available, std::int16_t{7}}) {
    const auto response = refused<protocol::OffsetFetchResponse>(rig, fetch_of("g"), 5, error);
    EXPECT_EQ(response->error_code, not_coordinator);
  }
  const auto commit = rig.commit_request("g", {{"orders", 0, 1}});
  const auto response = refused<protocol::OffsetCommitResponse>(rig, commit, 9, not_available);
  EXPECT_EQ(response->topics[0].partitions[0].error_code, not_available);
}

TEST_P(OffsetsRefusal, DescribeIsRefusedIdById) {
  using Described = protocol::DescribeGroupsResponse::DescribedGroup;
  for (std::int16_t version = 0; version <= 6; ++version) {
    const auto response = refused<protocol::DescribeGroupsResponse>(
        rig, protocol::DescribeGroupsRequest{{"g", "h"}}, version, not_coordinator);
    EXPECT_EQ(response->groups,
              (std::vector<Described>{Described{16, std::nullopt, "g", "", "", "", {}},
                                      Described{16, std::nullopt, "h", "", "", "", {}}}));
  }
}

TEST_P(OffsetsRefusal, DeleteGroupsIsRefusedIdByIdEachOnce) {
  using Result = protocol::DeleteGroupsResponse::DeletableGroupResult;
  for (std::int16_t version = 0; version <= 3; ++version) {
    const auto response = refused<protocol::DeleteGroupsResponse>(
        rig, protocol::DeleteGroupsRequest{{"g", "h", "g"}}, version, not_coordinator);
    EXPECT_EQ(response->results,
              (std::vector<Result>{Result{"g", 16, std::nullopt}, Result{"h", 16, std::nullopt}}));
  }
}

TEST_P(OffsetsRefusal, ListGroupsAndOffsetDeleteAreRefusedAtTheTop) {
  for (std::int16_t version = 0; version <= 5; ++version) {
    const auto response =
        refused<protocol::ListGroupsResponse>(rig, protocol::ListGroupsRequest{}, version, loading);
    EXPECT_EQ(response->error_code, loading);
    EXPECT_THAT(response->groups, IsEmpty());
  }
  const auto response = refused<protocol::OffsetDeleteResponse>(
      rig, protocol::OffsetDeleteRequest{"g", {{"orders", {{0}}}}}, 0, loading);
  EXPECT_EQ(response->error_code, loading);
  EXPECT_THAT(response->topics, IsEmpty());
}

TEST_P(OffsetsRoute, OneGroupIsOneKeyAndTheBodyIsNotCopied) {
  protocol::OffsetFetchRequest fetch = fetch_of("g");
  fetch.groups.resize(1);
  const RequestSpec specs[] = {
      spec_of(rig.commit_request("g", {{"orders", 0, 1}}), 2),
      spec_of(rig.commit_request("g", {{"orders", 0, 1}}), 10),
      spec_of(fetch, 1),
      spec_of(fetch, 7),
      spec_of(fetch, 8),
      spec_of(protocol::OffsetDeleteRequest{"g", {}}, 0),
      spec_of(protocol::DescribeGroupsRequest{{"g"}}, 0),
      spec_of(protocol::DeleteGroupsRequest{{"g"}}, 3),
  };
  for (const RequestSpec& spec : specs) {
    const auto routed = rig.route(spec);
    ASSERT_THAT(routed.parts, SizeIs(1)) << spec.api_key;
    EXPECT_EQ(routed.parts[0].key, "g") << spec.api_key;
    EXPECT_TRUE(routed.parts[0].whole) << spec.api_key;
  }
}

TEST_P(OffsetsRoute, SeveralIdsArePartsOfTheGroupScope) {
  const RequestSpec specs[] = {
      spec_of(protocol::DescribeGroupsRequest{{"g", "h"}, true}, 3),
      spec_of(protocol::DeleteGroupsRequest{{"g", "h"}}, 1),
      spec_of(fetch_of("g"), 9),
  };
  for (const RequestSpec& spec : specs) {
    const auto routed = rig.route(spec);
    ASSERT_THAT(routed.parts, SizeIs(2)) << spec.api_key;
    for (const auto& part : routed.parts) EXPECT_EQ(part.scope, MUSTER_SCOPE_GROUP);
  }
  const auto routed = rig.route(specs[0]);
  const Decoded<protocol::DescribeGroupsRequest> part{routed.parts[1].body, 3};
  EXPECT_EQ(part->groups, (std::vector<std::string_view>{"h"}));
  EXPECT_TRUE(part->include_authorized_operations);
}

TEST_P(OffsetsRoute, ABodyThatCannotBeReadIsRefused) {
  RequestSpec spec = spec_of(protocol::DescribeGroupsRequest{{"g", "h"}}, 0);
  spec.body.pop_back();
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(rig.try_refuse(spec, loading).first, MUSTER_INVALID_ARGUMENT);
  spec = spec_of(rig.commit_request("g", {}), 2);
  spec.body.resize(1);
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
}

TEST_P(OffsetsClaims, ItCreatesInEveryVersionOfKafka) {
  using Claim = std::tuple<int, int, int, int, int, int>;
  std::vector<Claim> claims;
  for (std::uint32_t i = 0; i < rig.table()->api_count; ++i) {
    const muster_api_claim& one = rig.table()->apis[i];
    claims.emplace_back(one.key, one.min, one.max, one.first_flexible, one.scope, one.creates);
  }
  EXPECT_THAT(claims, ElementsAre(Claim{8, 2, 10, 8, 1, 1}, Claim{9, 1, 10, 6, 1, 1},
                                  Claim{15, 0, 6, 5, 1, 1}, Claim{16, 0, 5, 3, 1, 1},
                                  Claim{42, 0, 3, 2, 1, 1}, Claim{47, 0, 0, 32767, 1, 1}));
  ASSERT_EQ(rig.table()->type_count, 1U);
  EXPECT_EQ(rig.table()->types[0].first, 0);
  EXPECT_EQ(rig.table()->types[0].last, 1);
  EXPECT_STREQ(rig.table()->shard_space, "groups");
  EXPECT_EQ(rig.table()->facet, nullptr);
}

}  // namespace
}  // namespace muster::offsets
