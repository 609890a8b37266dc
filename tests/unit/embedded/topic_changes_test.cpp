// DeleteTopics, CreatePartitions, and what the host hears of all changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <muster/abi/group_protocol.h>
#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_partitions_response.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::CreatePartitionsRequest;
using protocol::CreatePartitionsResponse;
using protocol::DeleteTopicsRequest;
using protocol::DeleteTopicsResponse;

DeleteTopicsRequest deleting(const std::vector<std::string_view>& names) {
  DeleteTopicsRequest request;
  request.topic_names = names;
  for (const std::string_view name : names) request.topics.emplace_back().name = name;
  return request;
}

TEST(DeleteTopics, EveryVersionDeletesByName) {
  BrokerRig rig;
  for (std::int16_t version = 1; version <= 6; ++version) {
    const protocol::Uuid id = create(rig, "t");
    const auto response = rig.ask<DeleteTopicsResponse>(deleting({"t"}), version);
    const auto& gone = response->responses.at(0);
    EXPECT_EQ(gone.error_code, 0) << version;
    EXPECT_EQ(gone.name, "t");
    EXPECT_EQ(gone.topic_id, version < 6 ? protocol::Uuid{} : id);
    EXPECT_EQ(produce(rig, "t", batch()).error_code, code(Error::unknown_topic_or_partition));
  }
}

TEST(DeleteTopics, ARecreatedTopicIsEmptyAndHasAnotherId) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t");
  produce(rig, "t", batch());
  rig.ask<DeleteTopicsResponse>(deleting({"t"}), 5);

  EXPECT_NE(create(rig, "t"), id);

  EXPECT_EQ(list_offset(rig, "t", -1).offset, 0);
  protocol::FetchRequest request = fetch_request("", 0);
  request.topics[0].topic_id = id;
  EXPECT_EQ(rig.ask<protocol::FetchResponse>(request, 13)->responses[0].partitions[0].error_code,
            code(Error::unknown_topic_id));
}

TEST(DeleteTopics, ById) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t");
  DeleteTopicsRequest request;
  request.topics.emplace_back().topic_id = id;
  auto response = rig.ask<DeleteTopicsResponse>(request, 6);
  EXPECT_EQ(response->responses.at(0).error_code, 0);
  EXPECT_EQ(response->responses.at(0).name, "t");

  response = rig.ask<DeleteTopicsResponse>(request, 6);
  EXPECT_EQ(response->responses.at(0).error_code, code(Error::unknown_topic_id));
  EXPECT_FALSE(response->responses.at(0).name);
  EXPECT_EQ(response->responses.at(0).error_message, "This server does not host this topic ID.");
}

TEST(DeleteTopics, SelfContradictingRequestsAreInvalid) {
  BrokerRig rig;
  const protocol::Uuid id = create(rig, "t");
  const auto error_of = [&](DeleteTopicsRequest request) {
    const auto response = rig.ask<DeleteTopicsResponse>(request, 6);
    EXPECT_EQ(response->responses.size(), 1U);
    return response->responses.at(0).error_code;
  };
  DeleteTopicsRequest both;
  both.topics.emplace_back().name = "t";
  both.topics[0].topic_id = id;
  EXPECT_EQ(error_of(both), code(Error::invalid_request));
  DeleteTopicsRequest neither;
  neither.topics.emplace_back();
  EXPECT_EQ(error_of(neither), code(Error::invalid_request));
  EXPECT_EQ(error_of(deleting({"t", "t"})), code(Error::invalid_request));
  DeleteTopicsRequest ways = deleting({"t"});
  ways.topics.emplace_back().topic_id = id;
  EXPECT_EQ(error_of(ways), code(Error::invalid_request));
  EXPECT_EQ(error_of(deleting({"nope"})), code(Error::unknown_topic_or_partition));
  EXPECT_EQ(error_of(deleting({"t"})), 0);
}

TEST(DeleteTopics, MayBeForbidden) {
  BrokerRig rig({{"delete.topic.enable", "false"}});
  create(rig, "t");
  EXPECT_EQ(rig.ask<DeleteTopicsResponse>(deleting({"t"}), 6)->responses.at(0).error_code,
            code(Error::topic_deletion_disabled));
  EXPECT_EQ(rig.ask<DeleteTopicsResponse>(deleting({"t"}), 2)->responses.at(0).error_code,
            code(Error::invalid_request));
  EXPECT_EQ(produce(rig, "t", batch()).error_code, 0);
}

CreatePartitionsRequest growing(std::string_view name, std::int32_t count) {
  CreatePartitionsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = name;
  topic.count = count;
  topic.assignments.reset();
  return request;
}

TEST(CreatePartitions, EveryVersionAddsPartitionsAndKeepsTheOldOnes) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch(2));
  for (std::int16_t version = 0; version <= 3; ++version) {
    const auto response = rig.ask<CreatePartitionsResponse>(growing("t", version + 2), version);
    EXPECT_EQ(response->results.at(0).error_code, 0) << version;
    EXPECT_FALSE(response->results.at(0).error_message);
    const Buffer records = batch();
    const auto produced =
        rig.ask<protocol::ProduceResponse>(produce_request("t", records, version + 1), 9);
    EXPECT_EQ(produced->responses[0].partition_responses[0].error_code, 0);
  }
  EXPECT_EQ(list_offset(rig, "t", -1).offset, 2);
}

TEST(CreatePartitions, WhatIsNoIncreaseIsRefusedInKafkasWords) {
  BrokerRig rig;
  create(rig, "t", 2);
  const auto expect = [&](const CreatePartitionsRequest& request, Error error,
                          std::optional<std::string_view> message) {
    const auto response = rig.ask<CreatePartitionsResponse>(request, 3);
    EXPECT_EQ(response->results.at(0).error_code, code(error));
    EXPECT_EQ(response->results.at(0).error_message, message);
  };
  expect(growing("nope", 3), Error::unknown_topic_or_partition, std::nullopt);
  expect(growing("t", 2), Error::invalid_partitions, "Topic already has 2 partition(s).");
  expect(growing("t", 1), Error::invalid_partitions,
         "The topic t currently has 2 partition(s); 1 would not be an increase.");
  expect(growing("t", 10'003), Error::policy_violation,
         "Excessively large number of additional partitions per request.");
  CreatePartitionsRequest assigned = growing("t", 4);
  assigned.topics[0].assignments.emplace();
  assigned.topics[0].assignments->emplace_back().broker_ids = {RigHost::node_id};
  expect(assigned, Error::invalid_replica_assignment,
         "Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified.");
  assigned.topics[0].assignments->emplace_back().broker_ids = {9};
  expect(assigned, Error::invalid_replica_assignment,
         "The manual partition assignment includes broker 9, but no such broker is registered.");
  CreatePartitionsRequest twice = growing("t", 4);
  twice.topics.push_back(twice.topics[0]);
  expect(twice, Error::invalid_request, "Duplicate topic name.");
}

TEST(CreatePartitions, ValidateOnlyChangesNothing) {
  BrokerRig rig;
  create(rig, "t");
  CreatePartitionsRequest request = growing("t", 4);
  request.validate_only = true;
  EXPECT_EQ(rig.ask<CreatePartitionsResponse>(request, 1)->results.at(0).error_code, 0);
  EXPECT_EQ(rig.ask<CreatePartitionsResponse>(growing("t", 2), 1)->results.at(0).error_code, 0);
}

TEST(TopicEvents, TheFirstCallCarriesWhatThereIs) {
  BrokerRig rig;
  create(rig, "b", 2);
  create(rig, "__consumer_offsets", 3);

  rig.watch();

  ASSERT_EQ(rig.changes().size(), 1U);
  const auto first = rig.changes()[0];
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].name, "__consumer_offsets");
  EXPECT_EQ(first[0].what, MUSTER_TOPIC_CREATED);
  EXPECT_TRUE(first[0].topic->internal);
  EXPECT_EQ(first[0].topic->partitions, 3U);
  EXPECT_EQ(first[1].name, "b");
  EXPECT_FALSE(first[1].topic->internal);
}

TEST(TopicEvents, AnEmptyBrokerSaysSo) {
  BrokerRig rig;
  rig.watch();
  ASSERT_EQ(rig.changes().size(), 1U);
  EXPECT_TRUE(rig.changes()[0].empty());
}

TEST(TopicEvents, EveryChangeIsToldBeforeItIsAnswered) {
  BrokerRig rig({{"broker.rack", "r1"}});
  rig.watch();
  create(rig, "t");
  rig.ask<CreatePartitionsResponse>(growing("t", 2), 3);
  rig.ask<DeleteTopicsResponse>(deleting({"t"}), 6);

  const auto changes = rig.changes();

  ASSERT_EQ(changes.size(), 4U);
  EXPECT_EQ(changes[1].at(0).what, MUSTER_TOPIC_CREATED);
  EXPECT_EQ(changes[1][0].topic->partitions, 1U);
  EXPECT_THAT(changes[1][0].topic->racks, ::testing::ElementsAre(::testing::ElementsAre("r1")));
  EXPECT_EQ(changes[2].at(0).what, MUSTER_TOPIC_CHANGED);
  EXPECT_EQ(changes[2][0].topic->partitions, 2U);
  EXPECT_EQ(changes[2][0].topic->racks.size(), 2U);
  EXPECT_EQ(changes[3].at(0).what, MUSTER_TOPIC_DELETED);
  EXPECT_EQ(changes[3][0].name, "t");
  EXPECT_FALSE(changes[3][0].topic);
}

TEST(TopicEvents, WithoutARackPartitionsHaveNone) {
  BrokerRig rig;
  rig.watch();
  create(rig, "t", 2);
  EXPECT_THAT(rig.changes().at(1).at(0).topic->racks,
              ::testing::ElementsAre(::testing::IsEmpty(), ::testing::IsEmpty()));
}

}  // namespace
}  // namespace muster::embedded::test
