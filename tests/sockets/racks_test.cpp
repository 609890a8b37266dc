// That the option of the assignors, a broker's rack and a member's rack meet in a running host.
#include "served.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace muster::sockets {
namespace {

using protocol::ConsumerGroupHeartbeatRequest;
using protocol::ConsumerGroupHeartbeatResponse;

std::size_t beat(Client& client, ConsumerGroupHeartbeatRequest beat, std::string member) {
  beat.group_id = "g";
  beat.member_id = std::move(member);
  const auto heard = client.ask<ConsumerGroupHeartbeatResponse>(beat, 1);
  EXPECT_EQ(heard.message.error_code, 0);
  std::size_t assigned = 0;
  if (!heard.message.assignment) return 0;
  for (const auto& topic : heard.message.assignment->topic_partitions) {
    assigned += topic.partitions.size();
  }
  return assigned;
}

std::size_t join(Client& client, std::string member, std::optional<std::string> rack) {
  ConsumerGroupHeartbeatRequest joins;
  joins.rebalance_timeout_ms = 60000;
  joins.subscribed_topic_names.emplace().push_back("t");
  joins.topic_partitions.emplace();
  if (rack) joins.rack_id = *rack;
  return beat(client, std::move(joins), std::move(member));
}

// Of the three partitions of a topic, how many a member without a rack keeps when one in the
// broker's rack joins. One of the two has two.
std::size_t kept_by_the_rackless(const std::vector<std::string>& sets,
                                 std::optional<std::string> of_group = std::nullopt) {
  std::vector<std::string> all = {"broker.rack=here", "group.consumer.assignment.interval.ms=0",
                                  "assignor.wait.ms=60000"};
  all.insert(all.end(), sets.begin(), sets.end());
  Served host(all);
  Client client(host.port());
  create_topic(client, "t", 3);
  find_coordinator(client, "g");
  if (of_group) {
    protocol::AlterConfigsRequest alter;
    alter.resources.push_back({32, "g", {{"consumer.assignor.rack.aware", *of_group}}});
    const auto altered = client.ask<protocol::AlterConfigsResponse>(alter, 2);
    EXPECT_EQ(altered.message.responses.at(0).error_code, 0);
  }
  EXPECT_EQ(join(client, "rackless", std::nullopt), 3U);
  join(client, "within", "here");
  ConsumerGroupHeartbeatRequest next;
  next.member_epoch = 2;
  return beat(client, next, "rackless");
}

TEST(RackAwareness, IsOffUnlessItIsAskedFor) { EXPECT_EQ(kept_by_the_rackless({}), 2U); }

TEST(RackAwareness, GivesMoreToTheMemberInTheBrokersRack) {
  EXPECT_EQ(kept_by_the_rackless({"group.consumer.assignor.rack.aware=true"}), 1U);
}

TEST(RackAwareness, IsEachGroupsOwnAffair) {
  EXPECT_EQ(kept_by_the_rackless({}, "true"), 1U);
  EXPECT_EQ(kept_by_the_rackless({"group.consumer.assignor.rack.aware=true"}, "false"), 2U);
}

}  // namespace
}  // namespace muster::sockets
