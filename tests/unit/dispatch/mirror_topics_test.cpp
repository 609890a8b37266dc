// What shards committed, sent to the internal topics: in order, and what happens when it fails.
#include "dispatch/mirror_topics.hpp"

#include "support/manual_world.hpp"

#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/produce_response.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct MirrorRig {
  void append(std::uint32_t partition) {
    MirrorRecord record;
    record.topic = "__consumer_offsets";
    record.partition = partition;
    record.key = {1};
    record.value = Buffer{2};
    mirror.append(partition, {record});
    executor.run_posted();
  }
  void answer(std::size_t call, std::int16_t error) {
    protocol::ProduceResponse response;
    response.responses.emplace_back().partition_responses.emplace_back().error_code = error;
    Buffer body;
    protocol::encode(response, 12, body);
    const ReplyTo to = caller.calls.at(call).second;
    const muster_bytes part = to_abi(Bytes(body));
    to.deliver({AnswerKind::shared, {}, SharedParts(&part, 1, nullptr, nullptr)});
    executor.run_posted();
  }

  testing::RecordingCaller caller;
  testing::ManualExecutor executor;
  testing::ManualClock clock;
  Metadata metadata;
  testing::RecordingObserver observer;
  MirrorTopics mirror{{&caller, &executor, &clock, &metadata, &observer}};
};

TEST(MirrorTopics, OneRequestIsInFlightForAPartition) {
  MirrorRig rig;
  rig.append(3);
  rig.append(3);
  rig.append(4);
  ASSERT_THAT(rig.caller.calls, SizeIs(2));
  const auto sent = protocol::decode<protocol::ProduceRequest>(rig.caller.calls[0].first.body, 12);
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->topic_data.at(0).name, "__consumer_offsets");
  EXPECT_EQ(sent->topic_data.at(0).partition_data.at(0).index, 3);

  rig.answer(0, 0);

  EXPECT_THAT(rig.caller.calls, SizeIs(3));
  EXPECT_THAT(rig.observer.lines, IsEmpty());
}

TEST(MirrorTopics, ABatchThatIsRefusedIsToldAndTheNextOneIsSent) {
  MirrorRig rig;
  rig.append(3);
  rig.append(3);

  rig.answer(0, 3);

  EXPECT_THAT(rig.observer.lines, ElementsAre(HasSubstr("__consumer_offsets-3")));
  EXPECT_THAT(rig.caller.calls, SizeIs(2));
}

}  // namespace
}  // namespace muster::host
