// OffsetFetch: what was committed, and where each version puts what went wrong.
#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using protocol::OffsetFetchRequest;
using protocol::OffsetFetchResponse;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

OFFSETS_TESTS(OffsetFetch);

constexpr std::int32_t describe = 8;
constexpr std::int32_t topic_resource = 2;
constexpr std::int32_t group_resource = 3;

using Group = OffsetFetchRequest::OffsetFetchRequestGroup;
using Topic = OffsetFetchRequest::OffsetFetchRequestTopics;

// orders 0, 1 and payments 0, in the shape of any version.
OffsetFetchRequest usual(std::string_view group) {
  OffsetFetchRequest request;
  request.group_id = group;
  request.topics = {{"orders", {0, 1}}, {"payments", {0}}};
  Group& one = request.groups.emplace_back();
  one.group_id = group;
  one.topics = {{"orders", topic_id(1), {0, 1}}, {"payments", topic_id(2), {0}}};
  return request;
}

OffsetFetchRequest all_of(std::string_view group) {
  OffsetFetchRequest request = usual(group);
  request.topics.reset();
  request.groups[0].topics.reset();
  return request;
}

// Topic, partition, offset, leader epoch, metadata, error; whatever the version.
using Row =
    std::tuple<std::string, std::int32_t, std::int64_t, std::int32_t, std::string, std::int16_t>;

using Rows = std::vector<Row>;

Row row(std::string topic, std::int32_t partition, std::int64_t offset, std::int32_t epoch = -1,
        std::string metadata = "") {
  return {std::move(topic), partition, offset, epoch, std::move(metadata), 0};
}
Row failed(std::string topic, std::int32_t partition, Error error) {
  return {std::move(topic), partition, -1, -1, "", protocol::code(error)};
}

Rows rows_of(const auto& topics, std::int16_t version) {
  Rows out;
  for (const auto& topic : topics) {
    std::string name{topic.name};
    if constexpr (requires { topic.topic_id; }) {
      if (version >= 10) name = "#" + std::to_string(topic.topic_id.bytes[15]);
    }
    for (const auto& one : topic.partitions) {
      out.emplace_back(name, one.partition_index, one.committed_offset, one.committed_leader_epoch,
                       std::string{*one.metadata}, one.error_code);
    }
  }
  return out;
}

struct Answer {
  std::int16_t error;
  Rows rows;
};

// The only group of the answer.
Answer fetch(OffsetsRig& rig, const OffsetFetchRequest& request, std::int16_t version) {
  const auto response = rig.ask<OffsetFetchResponse>(request, version);
  if (version < 8) return {response->error_code, rows_of(response->topics, version)};
  const auto& group = response->groups.at(0);
  return {group.error_code, rows_of(group.topics, version)};
}

TEST_P(OffsetFetch, EveryVersionAnswersWhatWasCommitted) {
  rig.committed("g", {{"orders", 0, 11, "meta", 3}, {"payments", 0, 22}});
  for (std::int16_t version = 1; version <= 10; ++version) {
    const Answer answer = fetch(rig, usual("g"), version);
    const std::string orders = version >= 10 ? "#1" : "orders";
    const std::string payments = version >= 10 ? "#2" : "payments";
    EXPECT_EQ(answer.error, 0) << version;
    EXPECT_EQ(answer.rows, (Rows{row(orders, 0, 11, version >= 5 ? 3 : -1, "meta"),
                                 row(orders, 1, -1), row(payments, 0, 22)}))
        << version;
  }
}

TEST_P(OffsetFetch, AnUnknownGroupHasNoOffsetsAndNoError) {
  for (std::int16_t version = 1; version <= 10; ++version) {
    const Answer answer = fetch(rig, usual("nobody"), version);
    EXPECT_EQ(answer.error, 0) << version;
    EXPECT_THAT(answer.rows, SizeIs(3)) << version;
    for (const Row& one : answer.rows) EXPECT_EQ(std::get<2>(one), -1) << version;
  }
}

TEST_P(OffsetFetch, WithoutTopicsAllOffsetsAreListedInOrder) {
  rig.committed("g", {{"payments", 1, 3}, {"orders", 2, 2}, {"orders", 0, 1}});
  for (std::int16_t version = 2; version <= 9; ++version) {
    EXPECT_EQ(fetch(rig, all_of("g"), version).rows,
              (Rows{row("orders", 0, 1), row("orders", 2, 2), row("payments", 1, 3)}))
        << version;
  }
  EXPECT_EQ(fetch(rig, all_of("g"), 10).rows,
            (Rows{row("#1", 0, 1), row("#1", 2, 2), row("#2", 1, 3)}));
}

TEST_P(OffsetFetch, AllOffsetsOfAnUnknownGroupAreNone) {
  for (std::int16_t version = 2; version <= 10; ++version) {
    const Answer answer = fetch(rig, all_of("nobody"), version);
    EXPECT_EQ(answer.error, 0);
    EXPECT_THAT(answer.rows, IsEmpty());
  }
}

TEST_P(OffsetFetch, AllOffsetsByIdLeaveOutTopicsThatAreGone) {
  rig.committed("g", {{"orders", 0, 1}, {"payments", 0, 2}});
  rig.metadata.remove("orders");
  EXPECT_EQ(fetch(rig, all_of("g"), 10).rows, (Rows{row("#2", 0, 2)}));
  EXPECT_EQ(fetch(rig, all_of("g"), 9).rows, (Rows{row("orders", 0, 1), row("payments", 0, 2)}));
}

TEST_P(OffsetFetch, AGroupNamedTwiceIsAnsweredTwice) {
  rig.committed("g", {{"orders", 0, 1}});
  OffsetFetchRequest request = usual("g");
  request.groups.push_back(request.groups[0]);
  request.groups.push_back({"h", std::nullopt, -1, std::nullopt});
  for (const std::int16_t version : {8, 9, 10}) {
    const auto response = rig.ask<OffsetFetchResponse>(request, version);
    ASSERT_THAT(response->groups, SizeIs(3)) << version;
    EXPECT_EQ(response->groups[0], response->groups[1]);
    EXPECT_EQ(response->groups[2].group_id, "h");
  }
}

TEST_P(OffsetFetch, EachOfSeveralGroupsGoesToItsOwnShardWithABodyOfItsOwn) {
  OffsetFetchRequest request = usual("g");
  request.groups.push_back(usual("h").groups[0]);
  request.require_stable = true;
  const auto routed = rig.route(spec_of(request, 9));
  ASSERT_THAT(routed.parts, SizeIs(2));
  EXPECT_EQ(routed.parts[1].key, "h");
  const Decoded<OffsetFetchRequest> part{routed.parts[1].body, 9};
  ASSERT_THAT(part->groups, SizeIs(1));
  EXPECT_EQ(part->groups[0].group_id, "h");
  EXPECT_THAT(*part->groups[0].topics,
              ElementsAre(Topic{"orders", {}, {0, 1}}, Topic{"payments", {}, {0}}));
  EXPECT_TRUE(part->require_stable);
}

TEST_P(OffsetFetch, NoGroupsAtAllIsAnEmptyAnswer) {
  OffsetFetchRequest request;
  const auto response = rig.ask<OffsetFetchResponse>(request, 8);
  EXPECT_THAT(response->groups, IsEmpty());
}

TEST_P(OffsetFetch, RequireStableWithoutTransactionsChangesNothing) {
  rig.committed("g", {{"orders", 0, 11}});
  OffsetFetchRequest request = usual("g");
  request.require_stable = true;
  for (const std::int16_t version : {7, 8, 9, 10}) {
    EXPECT_EQ(std::get<2>(fetch(rig, request, version).rows.at(0)), 11) << version;
  }
}

TEST_P(OffsetFetch, TheOwnersErrorStandsWhereTheVersionHasAPlaceForIt) {
  rig.committed("g", {{"orders", 0, 11}});
  FakeOwner consumer{"consumer"};
  consumer.fetch_error = protocol::code(Error::stale_member_epoch);
  rig.own("g", consumer);
  EXPECT_EQ(fetch(rig, usual("g"), 1).rows,
            (Rows{failed("orders", 0, Error::stale_member_epoch),
                  failed("orders", 1, Error::stale_member_epoch),
                  failed("payments", 0, Error::stale_member_epoch)}));
  for (std::int16_t version = 2; version <= 10; ++version) {
    const Answer answer = fetch(rig, usual("g"), version);
    EXPECT_EQ(answer.error, protocol::code(Error::stale_member_epoch)) << version;
    EXPECT_THAT(answer.rows, IsEmpty()) << version;
  }
}

TEST_P(OffsetFetch, TheOwnerIsToldMemberAndEpochFromVersion9On) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  OffsetFetchRequest request = usual("g");
  request.groups[0].member_id = "m";
  request.groups[0].member_epoch = 5;
  fetch(rig, request, 7);
  fetch(rig, request, 8);
  fetch(rig, request, 9);
  ASSERT_THAT(consumer.fetches, SizeIs(3));
  EXPECT_FALSE(consumer.fetches[0].has_member);
  EXPECT_EQ(consumer.fetches[0].epoch, -1);
  EXPECT_FALSE(consumer.fetches[1].has_member);
  EXPECT_EQ(consumer.fetches[2].member, "m");
  EXPECT_EQ(consumer.fetches[2].epoch, 5);
}

TEST_P(OffsetFetch, TheEmptyMemberIdIsNotNoMemberId) {
  FakeOwner consumer{"consumer"};
  rig.own("g", consumer);
  OffsetFetchRequest request = usual("g");
  request.groups[0].member_id = "";
  fetch(rig, request, 9);
  EXPECT_TRUE(consumer.fetches.at(0).has_member);
}

// Share groups say so: they keep no offsets here.
TEST_P(OffsetFetch, AGroupThatIsNotFoundByItsOwnerHasNoOffsetsAndNoError) {
  rig.committed("g", {{"orders", 0, 11}});
  FakeOwner share{"share"};
  share.fetch_error = protocol::code(Error::group_id_not_found);
  rig.own("g", share);
  rig.own_by_unknown("u");
  for (const std::string_view group : {"g", "u"}) {
    const Answer answer = fetch(rig, usual(group), 9);
    EXPECT_EQ(answer.error, 0);
    EXPECT_EQ(answer.rows,
              (Rows{row("orders", 0, -1), row("orders", 1, -1), row("payments", 0, -1)}));
    EXPECT_THAT(fetch(rig, all_of(group), 9).rows, IsEmpty());
  }
}

TEST_P(OffsetFetch, AnUnauthorisedGroupIsRefusedWhereTheVersionHasAPlaceForIt) {
  rig.committed("g", {{"orders", 0, 11}});
  rig.host.denied = {{describe, group_resource, "g"}};
  EXPECT_EQ(fetch(rig, usual("g"), 1).rows,
            (Rows{failed("orders", 0, Error::group_authorization_failed),
                  failed("orders", 1, Error::group_authorization_failed),
                  failed("payments", 0, Error::group_authorization_failed)}));
  for (std::int16_t version = 2; version <= 10; ++version) {
    for (const OffsetFetchRequest& request : {usual("g"), all_of("g")}) {
      const Answer answer = fetch(rig, request, version);
      EXPECT_EQ(answer.error, protocol::code(Error::group_authorization_failed)) << version;
      EXPECT_THAT(answer.rows, IsEmpty()) << version;
    }
  }
}

TEST_P(OffsetFetch, UnauthorisedTopicsFailAloneAndComeLast) {
  rig.committed("g", {{"orders", 0, 11}, {"payments", 0, 22}});
  rig.host.denied = {{describe, topic_resource, "orders"}};
  EXPECT_EQ(fetch(rig, usual("g"), 8).rows,
            (Rows{row("payments", 0, 22), failed("orders", 0, Error::topic_authorization_failed),
                  failed("orders", 1, Error::topic_authorization_failed)}));
  EXPECT_EQ(fetch(rig, all_of("g"), 8).rows, (Rows{row("payments", 0, 22)}));
}

TEST_P(OffsetFetch, AnUnknownTopicIdFailsAlone) {
  rig.committed("g", {{"orders", 0, 11}});
  OffsetFetchRequest request = usual("g");
  request.groups[0].topics = {{"", topic_id(77), {0}}, {"", {}, {1}}, {"", topic_id(1), {0}}};
  EXPECT_EQ(fetch(rig, request, 10).rows,
            (Rows{row("#1", 0, 11), failed("#77", 0, Error::unknown_topic_id),
                  failed("#0", 1, Error::unknown_topic_id)}));
}

TEST_P(OffsetFetch, AnUnknownTopicNameIsJustATopicWithoutOffsets) {
  OffsetFetchRequest request = usual("g");
  request.groups[0].topics = {{"ghost", {}, {0}}};
  EXPECT_EQ(fetch(rig, request, 9).rows, (Rows{row("ghost", 0, -1)}));
}

TEST_P(OffsetFetch, AnOffsetOfAnEarlierTopicOfTheNameIsNotGivenForTheNewId) {
  rig.committed("g", {{"orders", 0, 11}});
  rig.metadata.remove("orders");
  rig.metadata.put("orders", {.partitions = 3, .id = 5});
  OffsetFetchRequest request = usual("g");
  request.groups[0].topics = {{"orders", topic_id(5), {0}}};
  EXPECT_EQ(fetch(rig, request, 10).rows, (Rows{row("#5", 0, -1)}));
  EXPECT_EQ(fetch(rig, request, 9).rows, (Rows{row("orders", 0, 11)}));
}

TEST_P(OffsetFetch, AnOffsetStoredWithoutAnIdIsGivenForAnyId) {
  rig.close();
  rig.store(offset_key("g", "orders", 0), offset_value({4, -1, "", 1, -1, {}}, 3));
  rig.open();
  OffsetFetchRequest request = usual("g");
  request.groups[0].topics = {{"", topic_id(1), {0}}};
  EXPECT_EQ(fetch(rig, request, 10).rows, (Rows{row("#1", 0, 4)}));
}

TEST_P(OffsetFetch, LargeAnswersLeaveWhole) {
  rig.metadata.put("wide", {.partitions = 2000, .id = 8});
  std::vector<Line> lines;
  for (std::int32_t p = 0; p < 2000; ++p) lines.push_back({"wide", p, p});
  rig.committed("g", lines);
  const Answer answer = fetch(rig, all_of("g"), 8);
  ASSERT_THAT(answer.rows, SizeIs(2000));
  EXPECT_EQ(answer.rows.back(), row("wide", 1999, 1999));
}

}  // namespace
}  // namespace muster::offsets
