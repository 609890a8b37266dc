#include <gtest/gtest.h>

#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using protocol::FetchRequest;
using protocol::FetchResponse;

constexpr std::int32_t for_ever_ms = 3'600'000;

class LongPoll : public ::testing::Test {
 protected:
  LongPoll() { id = create(rig, "t", 2); }

  FetchRequest waiting_request(std::int32_t min_bytes = 1) const {
    FetchRequest request = fetch_request("t", 0);
    request.topics[0].topic_id = id;
    request.max_wait_ms = for_ever_ms;
    request.min_bytes = min_bytes;
    return request;
  }

  BrokerRig rig;
  protocol::Uuid id;
};

TEST_F(LongPoll, AnEmptyLogIsWaitedForUntilSomethingComes) {
  const auto answer = rig.send(waiting_request(), 12);
  EXPECT_EQ(answer->outcome(), Outcome::waiting);

  produce(rig, "t", batch(2));

  EXPECT_EQ(answer->outcome(), Outcome::body);
  const auto response = BrokerRig::decoded<FetchResponse>(answer, 12);
  EXPECT_EQ(response->responses[0].partitions[0].high_watermark, 2);
  EXPECT_FALSE(response->responses[0].partitions[0].records->empty());
}

TEST_F(LongPoll, WithoutAWaitTheAnswerIsEmptyAtOnce) {
  FetchRequest request = waiting_request();
  request.max_wait_ms = 0;
  EXPECT_EQ(rig.send(request, 12)->outcome(), Outcome::body);
}

TEST_F(LongPoll, WithoutPartitionsThereIsNothingToWaitFor) {
  FetchRequest request = waiting_request();
  request.topics.clear();
  EXPECT_EQ(rig.send(request, 12)->outcome(), Outcome::body);
}

TEST_F(LongPoll, ErrorsOfReadingAreToldAtOnce) {
  FetchRequest request = waiting_request();
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  request.topics[0].partitions[1].fetch_offset = 99;
  EXPECT_EQ(rig.send(request, 12)->outcome(), Outcome::body);
}

TEST_F(LongPoll, UnknownTopicsDoNotEndTheWaitOfKnownOnes) {
  FetchRequest request = waiting_request();
  request.topics.push_back(request.topics[0]);
  request.topics[0].topic = "unknown";
  const auto answer = rig.send(request, 12);
  EXPECT_EQ(answer->outcome(), Outcome::waiting);

  produce(rig, "t", batch());

  EXPECT_EQ(answer->outcome(), Outcome::body);
}

TEST_F(LongPoll, OnlyUnknownTopicsAreAnsweredAtOnce) {
  FetchRequest request = waiting_request();
  request.topics[0].topic = "unknown";
  EXPECT_EQ(rig.send(request, 12)->outcome(), Outcome::body);
}

TEST_F(LongPoll, MinBytesAreCountedOverAllPartitions) {
  const auto size = static_cast<std::int32_t>(batch().size());
  FetchRequest request = waiting_request(3 * size);
  request.topics[0].partitions.push_back(request.topics[0].partitions[0]);
  request.topics[0].partitions[1].partition = 1;
  const auto answer = rig.send(request, 12);

  produce(rig, "t", batch());
  const Buffer other = batch();
  rig.ask<protocol::ProduceResponse>(produce_request("t", other, 1), 12);
  EXPECT_EQ(answer->outcome(), Outcome::waiting);

  produce(rig, "t", batch());
  EXPECT_EQ(answer->outcome(), Outcome::body);
}

TEST_F(LongPoll, WhatWasThereCountsToo) {
  const auto size = static_cast<std::int32_t>(batch().size());
  produce(rig, "t", batch());
  const auto answer = rig.send(waiting_request(2 * size), 12);
  EXPECT_EQ(answer->outcome(), Outcome::waiting);

  produce(rig, "t", batch());

  EXPECT_EQ(answer->outcome(), Outcome::body);
}

TEST_F(LongPoll, MoreThanAPartitionMayGiveDoesNotCount) {
  const auto size = static_cast<std::int32_t>(batch().size());
  FetchRequest request = waiting_request(3 * size);
  request.topics[0].partitions[0].partition_max_bytes = 2 * size;
  const auto answer = rig.send(request, 12);

  for (int i = 0; i < 5; ++i) produce(rig, "t", batch());

  EXPECT_EQ(answer->outcome(), Outcome::waiting);
  rig.gone(1);
  EXPECT_EQ(answer->outcome(), Outcome::closed);
}

TEST_F(LongPoll, WhenTimeIsUpThereIsAnAnswerWithWhatIsThere) {
  produce(rig, "t", batch());
  FetchRequest request = waiting_request(1'000'000);
  request.max_wait_ms = 1;

  const auto response = rig.ask<FetchResponse>(request, 12);

  EXPECT_EQ(response->responses[0].partitions[0].error_code, 0);
  EXPECT_FALSE(response->responses[0].partitions[0].records->empty());
}

TEST_F(LongPoll, ShortWaitsEndBeforeLongOnesThatBeganEarlier) {
  const auto longer = rig.send(waiting_request(), 12);
  FetchRequest request = waiting_request();
  request.max_wait_ms = 1;
  EXPECT_EQ(rig.send(request, 12)->wait(), Outcome::body);
  EXPECT_EQ(longer->outcome(), Outcome::waiting);
  rig.gone(1);
}

TEST_F(LongPoll, AClientThatLeftIsNotWaitedForAnyMore) {
  const auto left = rig.send(waiting_request(), 12, {.connection = 5});
  const auto stays = rig.send(waiting_request(), 12, {.connection = 13});

  rig.gone(5);

  EXPECT_EQ(left->outcome(), Outcome::closed);
  EXPECT_EQ(stays->outcome(), Outcome::waiting);
  produce(rig, "t", batch());
  EXPECT_EQ(stays->outcome(), Outcome::body);
}

TEST_F(LongPoll, ADeletedTopicEndsTheWait) {
  const auto by_name = rig.send(waiting_request(), 12);
  const auto by_id = rig.send(waiting_request(), 13);
  protocol::DeleteTopicsRequest request;
  request.topic_names = {"t"};
  rig.ask<protocol::DeleteTopicsResponse>(request, 5);

  auto response = BrokerRig::decoded<FetchResponse>(by_name, 12);
  EXPECT_EQ(response->responses[0].partitions[0].error_code,
            code(Error::unknown_topic_or_partition));
  response = BrokerRig::decoded<FetchResponse>(by_id, 13);
  EXPECT_EQ(response->responses[0].partitions[0].error_code, code(Error::unknown_topic_id));
}

TEST_F(LongPoll, ABrokerThatEndsAnswersThoseWhoWait) {
  auto other = std::make_unique<BrokerRig>();
  create(*other, "t", 2);
  const auto answer = other->send(waiting_request(), 12);
  other.reset();
  EXPECT_EQ(answer->outcome(), Outcome::closed);
}

}  // namespace
}  // namespace muster::embedded::test
