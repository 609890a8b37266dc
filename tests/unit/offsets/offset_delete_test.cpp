// OffsetDelete: which offsets go, and what forbids it.
#include <muster/protocol/messages/offset_delete_request.hpp>
#include <muster/protocol/messages/offset_delete_response.hpp>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

using protocol::OffsetDeleteRequest;
using protocol::OffsetDeleteResponse;
using ::testing::IsEmpty;

OFFSETS_TESTS(OffsetDelete);

constexpr std::int32_t read = 3;
constexpr std::int32_t remove = 6;
constexpr std::int32_t topic_resource = 2;
constexpr std::int32_t group_resource = 3;

OffsetDeleteRequest of(std::string_view group,
                       std::vector<OffsetDeleteRequest::OffsetDeleteRequestTopic> topics) {
  return {group, std::move(topics)};
}

struct Answer {
  std::int16_t error;
  Verdicts rows;
};

Answer ask(OffsetsRig& rig, const OffsetDeleteRequest& request) {
  const auto response = rig.ask<OffsetDeleteResponse>(request, 0);
  Answer out{response->error_code, {}};
  for (const auto& topic : response->topics) {
    for (const auto& one : topic.partitions) {
      out.rows.emplace_back(std::string{topic.name}, one.partition_index, one.error_code);
    }
  }
  return out;
}

// A refusal of the whole request has no topics.
void expect_refused(OffsetsRig& rig, const OffsetDeleteRequest& request, Error error) {
  const Answer answer = ask(rig, request);
  EXPECT_EQ(answer.error, protocol::code(error));
  EXPECT_THAT(answer.rows, IsEmpty());
}

TEST_P(OffsetDelete, RemovesWhatIsThereAndIsContentWithWhatIsNot) {
  rig.committed("g", {{"orders", 0, 1}, {"orders", 1, 1}});
  const Outcome outcome = rig.decide(spec_of(of("g", {{"orders", {{0}, {2}}}}), 0));
  EXPECT_EQ(outcome.records(), (Writes{tombstone("g", "orders", 0)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), -1);
  EXPECT_EQ(rig.fetch("g", "orders", 1), 1);
}

TEST_P(OffsetDelete, AnswersEachPartitionUnknownOnesFirst) {
  rig.committed("g", {{"payments", 0, 1}});
  const Answer answer =
      ask(rig, of("g", {{"payments", {{0}}}, {"orders", {{0}, {9}}}, {"ghost", {{1}}}}));
  EXPECT_EQ(answer.error, 0);
  EXPECT_EQ(
      answer.rows,
      (Verdicts{verdict("orders", 9, Error::unknown_topic_or_partition), verdict("orders", 0),
                verdict("ghost", 1, Error::unknown_topic_or_partition), verdict("payments", 0)}));
}

TEST_P(OffsetDelete, APartitionNamedTwiceIsRemovedOnce) {
  rig.committed("g", {{"orders", 0, 1}});
  const Outcome outcome = rig.decide(spec_of(of("g", {{"orders", {{0}, {0}}}}), 0));
  EXPECT_EQ(outcome.records(), (Writes{tombstone("g", "orders", 0)}));
}

TEST_P(OffsetDelete, AnUnknownGroupIsNotFoundEvenForUnknownTopics) {
  expect_refused(rig, of("nobody", {{"orders", {{0}}}}), Error::group_id_not_found);
  expect_refused(rig, of("nobody", {{"ghost", {{0}}}}), Error::group_id_not_found);
}

TEST_P(OffsetDelete, TheEmptyGroupIdIsInvalid) {
  rig.committed("", {{"orders", 0, 1}});
  expect_refused(rig, of("", {{"orders", {{0}}}}), Error::invalid_group_id);
}

TEST_P(OffsetDelete, ASubscribedTopicKeepsItsOffsets) {
  FakeOwner consumer{"consumer"};
  consumer.subscribed = {"orders"};
  rig.own("g", consumer);
  rig.committed("g", {{"orders", 0, 1}, {"payments", 0, 1}});
  EXPECT_EQ(
      ask(rig, of("g", {{"orders", {{0}}}, {"payments", {{0}}}})).rows,
      (Verdicts{verdict("orders", 0, Error::group_subscribed_to_topic), verdict("payments", 0)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
  EXPECT_EQ(rig.fetch("g", "payments", 0), -1);
}

TEST_P(OffsetDelete, AClassicGroupThatIsNoConsumerMustBeEmpty) {
  FakeOwner classic{"classic"};
  classic.protocol_type = "connect";
  rig.own("g", classic);
  rig.committed("g", {{"orders", 0, 1}});
  for (const std::string state : {"Stable", "PreparingRebalance", "CompletingRebalance"}) {
    classic.state = state;
    expect_refused(rig, of("g", {{"orders", {{0}}}}), Error::non_empty_group);
  }
  classic.state = "Empty";
  EXPECT_EQ(ask(rig, of("g", {{"orders", {{0}}}})).rows, (Verdicts{verdict("orders", 0)}));
}

TEST_P(OffsetDelete, AClassicConsumerGroupMayHaveMembers) {
  FakeOwner classic{"classic"};
  rig.own("g", classic);
  rig.committed("g", {{"orders", 0, 1}});
  EXPECT_EQ(ask(rig, of("g", {{"orders", {{0}}}})).rows, (Verdicts{verdict("orders", 0)}));
}

TEST_P(OffsetDelete, TypesThatKeepNoOffsetsHereAreNotFound) {
  FakeOwner share{"share"};
  share.fetch_error = protocol::code(Error::group_id_not_found);
  rig.own("g", share);
  rig.own_by_unknown("u");
  expect_refused(rig, of("g", {{"orders", {{0}}}}), Error::group_id_not_found);
  expect_refused(rig, of("u", {{"orders", {{0}}}}), Error::group_id_not_found);
}

TEST_P(OffsetDelete, AnUnauthorisedGroupIsRefusedWhole) {
  rig.committed("g", {{"orders", 0, 1}});
  rig.host.denied = {{remove, group_resource, "g"}};
  expect_refused(rig, of("g", {{"orders", {{0}}}}), Error::group_authorization_failed);
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

TEST_P(OffsetDelete, AnUnauthorisedTopicFailsAlone) {
  rig.committed("g", {{"orders", 0, 1}, {"payments", 0, 1}});
  rig.host.denied = {{read, topic_resource, "orders"}};
  EXPECT_EQ(
      ask(rig, of("g", {{"payments", {{0}}}, {"orders", {{0}}}})).rows,
      (Verdicts{verdict("orders", 0, Error::topic_authorization_failed), verdict("payments", 0)}));
  EXPECT_EQ(rig.fetch("g", "orders", 0), 1);
}

TEST_P(OffsetDelete, AGroupWithoutAProtocolStaysKnownWhenItsLastOffsetGoes) {
  rig.committed("g", {{"orders", 0, 1}});
  ask(rig, of("g", {{"orders", {{0}}}}));
  EXPECT_EQ(ask(rig, of("g", {{"orders", {{0}}}})).error, 0);
  rig.advance(600'000);
  expect_refused(rig, of("g", {{"orders", {{0}}}}), Error::group_id_not_found);
}

TEST_P(OffsetDelete, WhatAReloadForgetsIsForgotten) {
  rig.committed("g", {{"orders", 0, 1}});
  ask(rig, of("g", {{"orders", {{0}}}}));
  rig.reload();
  expect_refused(rig, of("g", {{"orders", {{0}}}}), Error::group_id_not_found);
}

}  // namespace
}  // namespace muster::offsets
