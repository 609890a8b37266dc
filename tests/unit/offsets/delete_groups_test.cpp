// DeleteGroups: owner and offsets in one batch.
#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/delete_groups_response.hpp>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using protocol::DeleteGroupsRequest;
using protocol::DeleteGroupsResponse;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Result = DeleteGroupsResponse::DeletableGroupResult;
using Results = std::vector<Result>;

OFFSETS_TESTS(DeleteGroups);

constexpr std::int32_t remove = 6;
constexpr std::int32_t group_resource = 3;

TEST_P(DeleteGroups, AGroupOfOffsetsAloneGoesWithThem) {
  rig.committed("g", {{"orders", 0, 1}, {"payments", 1, 1}});
  rig.committed("h", {{"orders", 0, 1}});
  for (std::int16_t version = 0; version <= 3; ++version) {
    rig.committed("g", {{"orders", 0, 1}, {"payments", 1, 1}});
    const Outcome outcome = rig.decide(spec_of(DeleteGroupsRequest{{"g"}}, version));
    EXPECT_EQ(outcome.writes, (Writes{tombstone("g", "orders", 0), tombstone("g", "payments", 1)}));
    const Decoded<DeleteGroupsResponse> response{*outcome.response, version};
    EXPECT_EQ(response->results, (Results{Result{"g", 0, std::nullopt}}));
  }
  EXPECT_EQ(rig.fetch("h", "orders", 0), 1);
}

TEST_P(DeleteGroups, TheOwnersTombstonesAndTheOffsetsAreOneBatch) {
  FakeOwner consumer{"consumer"};
  const Write group_tombstone{"consumer", false, Buffer{0, 3, 0, 1, 'g'}, std::nullopt};
  consumer.remove_writes = {group_tombstone};
  rig.own("g", consumer);
  rig.committed("g", {{"orders", 0, 1}});
  const Outcome outcome = rig.decide(spec_of(DeleteGroupsRequest{{"g"}}, 2));
  EXPECT_EQ(outcome.writes, (Writes{group_tombstone, tombstone("g", "orders", 0)}));
  EXPECT_EQ(rig.owner_of("g"), "");
}

TEST_P(DeleteGroups, ARefusalOfTheOwnerKeepsEverything) {
  FakeOwner consumer{"consumer"};
  consumer.remove_error = protocol::code(Error::non_empty_group);
  rig.own("g", consumer);
  rig.committed("g", {{"orders", 0, 1}});
  for (std::int16_t version = 0; version <= 3; ++version) {
    const auto response = rig.ask<DeleteGroupsResponse>(DeleteGroupsRequest{{"g"}}, version);
    EXPECT_EQ(response->results, (Results{Result{"g", 68, std::nullopt}}));
  }
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

TEST_P(DeleteGroups, AnUnknownIdIsNotFound) {
  rig.own_by_unknown("u");
  const auto response = rig.ask<DeleteGroupsResponse>(DeleteGroupsRequest{{"x", "u"}}, 3);
  EXPECT_EQ(response->results,
            (Results{Result{"x", 69, std::nullopt}, Result{"u", 69, std::nullopt}}));
}

TEST_P(DeleteGroups, AnIdNamedTwiceIsDeletedAndAnsweredOnce) {
  rig.committed("g", {{"orders", 0, 1}});
  const DeleteGroupsRequest twice{{"g", "g"}};
  EXPECT_THAT(rig.route(spec_of(twice, 2)).parts, SizeIs(1));
  EXPECT_EQ(rig.ask<DeleteGroupsResponse>(twice, 2)->results,
            (Results{Result{"g", 0, std::nullopt}}));
  const DeleteGroupsRequest mixed{{"g", "h", "g"}};
  EXPECT_THAT(rig.route(spec_of(mixed, 2)).parts, SizeIs(2));
  EXPECT_THAT(rig.ask<DeleteGroupsResponse>(mixed, 2)->results, SizeIs(2));
}

TEST_P(DeleteGroups, TheEmptyIdCanBeDeleted) {
  rig.committed("", {{"orders", 0, 1}});
  EXPECT_EQ(rig.ask<DeleteGroupsResponse>(DeleteGroupsRequest{{""}}, 2)->results,
            (Results{Result{"", 0, std::nullopt}}));
}

TEST_P(DeleteGroups, AnUnauthorisedIdIsRefusedAlone) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.committed("h", {{"orders", 0, 1}});
  rig.host.denied = {{remove, group_resource, "g"}};
  EXPECT_EQ(rig.ask<DeleteGroupsResponse>(DeleteGroupsRequest{{"g", "h"}}, 2)->results,
            (Results{Result{"g", 30, std::nullopt}, Result{"h", 0, std::nullopt}}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
  EXPECT_EQ(rig.fetch("h", "orders", 0), -1);
}

TEST_P(DeleteGroups, AGroupWhoseLastOffsetIsGoneCanStillBeDeletedOnce) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.metadata.remove("orders");
  rig.on_metadata();
  const DeleteGroupsRequest request{{"g"}};
  EXPECT_EQ(rig.ask<DeleteGroupsResponse>(request, 2)->results,
            (Results{Result{"g", 0, std::nullopt}}));
  EXPECT_EQ(rig.ask<DeleteGroupsResponse>(request, 2)->results,
            (Results{Result{"g", 69, std::nullopt}}));
}

TEST_P(DeleteGroups, AReloadBringsNothingBack) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.ask<DeleteGroupsResponse>(DeleteGroupsRequest{{"g"}}, 2);
  EXPECT_THAT(rig.shard.stored, IsEmpty());
  rig.reload();
  EXPECT_EQ(rig.fetch("g", "orders", 0), -1);
}

}  // namespace
}  // namespace muster::offsets
