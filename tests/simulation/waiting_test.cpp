// A sleeping assignor: whom it holds up, and for how long. Shown by the order of events, not by a
// clock on the wall.
#include <gtest/gtest.h>

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>

#include "network.hpp"
#include "topics.hpp"

namespace muster::simulation {
namespace {

using Beat = protocol::ConsumerGroupHeartbeatRequest;
using BeatAnswer = protocol::ConsumerGroupHeartbeatResponse;

constexpr std::int64_t wait_ms = 250;

// One connection a group; an answer is read the moment the host gives it.
class SleepingAssignor : public ::testing::Test {
 protected:
  SleepingAssignor() { topics.put("apples", 4); }

  void send(const std::string& group, const std::string& member, std::int32_t epoch) {
    Beat message;
    message.group_id = group;
    message.member_id = member;
    message.member_epoch = epoch;
    if (epoch == 0) {
      message.rebalance_timeout_ms = 10000;
      message.subscribed_topic_names = {"apples"};
      message.topic_partitions.emplace();
    }
    auto [connection, is_new] = connections.try_emplace(member, 0);
    if (is_new) connection->second = network.connect(member);
    network.ask(connection->second, message, 1, [this, member](host::Bytes body) {
      const auto answer = protocol::decode<BeatAnswer>(body, 1);
      order.push_back(member);
      errors[member] = answer->error_code;
      epochs[member] = answer->member_epoch;
      partitions[member] =
          answer->assignment ? to_partitions(answer->assignment->topic_partitions).size() : 0;
    });
    travel();
  }
  // All but the assignors' runs and time.
  void travel() {
    do {
      host.executor.run_posted();
      while (host.store.has_waiting(0)) host.store.acknowledge(0);
    } while (network.step(random));
    host.executor.run_posted();
  }
  void pass(std::int64_t ms) {
    host.pass(ms);
    travel();
  }
  std::vector<std::string> answered() { return std::exchange(order, {}); }

  SimHost host{{1, 1, wait_ms, 1000}};
  Random random{1};
  Network network{host};
  Topics topics{host};
  std::map<std::string, ConnectionId> connections;
  std::vector<std::string> order;
  std::map<std::string, std::int16_t> errors;
  std::map<std::string, std::int32_t> epochs;
  std::map<std::string, std::size_t> partitions;
};

using Names = std::vector<std::string>;

TEST_F(SleepingAssignor, HoldsTheHeartbeatThatAskedForItNoLongerThanTheWait) {
  send("a", "m1", 0);
  ASSERT_EQ(host.executor.jobs.size(), 1U);
  EXPECT_EQ(answered(), Names{});
  pass(wait_ms - 1);
  EXPECT_EQ(answered(), Names{});
  pass(1);
  EXPECT_EQ(answered(), Names{"m1"});
  EXPECT_EQ(errors["m1"], 0);
  EXPECT_EQ(partitions["m1"], 0U);
  ASSERT_EQ(host.executor.jobs.size(), 1U) << "it still sleeps";
}

TEST_F(SleepingAssignor, HoldsNoOtherHeartbeatOfItsGroup) {
  send("a", "m1", 0);
  send("a", "m2", 0);
  EXPECT_EQ(answered(), Names{"m2"});
  for (int i = 0; i < 10; ++i) {
    send("a", "m2", epochs["m2"]);
    EXPECT_EQ(answered(), Names{"m2"});
  }
  ASSERT_EQ(host.executor.jobs.size(), 1U) << "no time has passed and it still sleeps";
}

TEST_F(SleepingAssignor, HoldsNoHeartbeatOfAnotherGroupInTheSameShard) {
  send("b", "other", 0);
  host.executor.run_job();
  travel();
  ASSERT_EQ(answered(), Names{"other"});
  EXPECT_EQ(partitions["other"], 4U);
  send("a", "m1", 0);
  for (int i = 0; i < 10; ++i) {
    send("b", "other", epochs["other"]);
    EXPECT_EQ(answered(), Names{"other"});
  }
  pass(wait_ms);
  EXPECT_EQ(answered(), Names{"m1"});
  for (int i = 0; i < 5; ++i) {  // five seconds of sleep
    pass(1000);
    send("b", "other", epochs["other"]);
    EXPECT_EQ(answered(), Names{"other"});
    send("a", "m1", epochs["m1"]);
    EXPECT_EQ(answered(), Names{"m1"});
    EXPECT_EQ(errors["m1"], 0);
  }
  ASSERT_EQ(host.executor.jobs.size(), 1U) << "it still sleeps";
  host.executor.run_job();
  travel();
  EXPECT_EQ(answered(), Names{}) << "nobody waits for it any longer";
  send("a", "m1", epochs["m1"]);
  EXPECT_EQ(partitions["m1"], 4U);
}

TEST_F(SleepingAssignor, HoldsNoOtherAssignor) {
  send("a", "m1", 0);
  send("b", "other", 0);
  ASSERT_EQ(host.executor.jobs.size(), 2U);
  host.executor.run_job(1);
  travel();
  EXPECT_EQ(answered(), Names{"other"});
  EXPECT_EQ(partitions["other"], 4U);
}

}  // namespace
}  // namespace muster::simulation
