// A durable broker that ends and starts again in the same folder.
#include <gtest/gtest.h>

#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>
#include <muster/protocol/messages/init_producer_id_request.hpp>
#include <muster/protocol/messages/init_producer_id_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

class Restart : public ::testing::Test {
 protected:
  std::unique_ptr<BrokerRig> start() const {
    return std::make_unique<BrokerRig>(std::initializer_list<BrokerRig::Options::value_type>{
        {"log.storage", "disk"}, {"log.dir", folder_.path().string()}});
  }
  ScratchFolder folder_;
};

TEST_F(Restart, BringsTopicsAndRecordsBack) {
  std::string cluster;
  {
    const auto rig = start();
    cluster = rig->cluster_id();
    create(*rig, "t", 2, {{"max.message.bytes", "1000"}});
    EXPECT_EQ(produce(*rig, "t", batch(3)).base_offset, 0);
  }
  const auto rig = start();
  EXPECT_EQ(rig->cluster_id(), cluster);
  EXPECT_EQ(list_offset(*rig, "t", -1).offset, 3);
  EXPECT_EQ(list_offset(*rig, "t", start_ms + 1).offset, 1);
  EXPECT_EQ(produce(*rig, "t", batch(1)).base_offset, 3);
  EXPECT_EQ(produce(*rig, "t", batch(200)).error_code, protocol::code(Error::message_too_large));
  rig->watch();
  EXPECT_EQ(rig->changes().at(0).at(0).topic->partitions, 2U);
}

TEST_F(Restart, GoesOnWithProducerIdsThatNobodyHad) {
  const auto next = [](BrokerRig& rig) {
    protocol::InitProducerIdRequest request;
    request.transactional_id.reset();
    return rig.ask<protocol::InitProducerIdResponse>(request, 4)->producer_id;
  };
  std::int64_t last = -1;
  {
    const auto rig = start();
    last = next(*rig);
  }
  EXPECT_GT(next(*start()), last);
}

TEST_F(Restart, ForgetsDeletedTopics) {
  {
    const auto rig = start();
    create(*rig, "t");
    produce(*rig, "t", batch(3));
    protocol::DeleteTopicsRequest request;
    request.topics.emplace_back().name = "t";
    EXPECT_EQ(rig->ask<protocol::DeleteTopicsResponse>(request, 6)->responses.at(0).error_code, 0);
  }
  EXPECT_EQ(list_offset(*start(), "t", -1).error_code,
            protocol::code(Error::unknown_topic_or_partition));
}

TEST_F(Restart, RemembersSequencesOfProducers) {
  const auto third = batch(1, {.id = 5, .epoch = 0, .sequence = 2});
  {
    const auto rig = start();
    create(*rig, "t");
    produce(*rig, "t", batch(2, {.id = 5, .epoch = 0, .sequence = 0}));
    EXPECT_EQ(produce(*rig, "t", third).base_offset, 2);
  }
  const auto rig = start();
  EXPECT_EQ(produce(*rig, "t", third).base_offset, 2);
  EXPECT_EQ(produce(*rig, "t", batch(1, {.id = 5, .epoch = 0, .sequence = 9})).error_code,
            protocol::code(Error::out_of_order_sequence_number));
  EXPECT_EQ(list_offset(*rig, "t", -1).offset, 3);
}

}  // namespace
}  // namespace muster::embedded::test
