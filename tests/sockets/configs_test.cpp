// Config requests whose resources belong to the broker, the host and a group's shard at once, and
// what is asked of a listener that does not authenticate.
#include "served.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>
#include <muster/protocol/messages/sasl_authenticate_request.hpp>
#include <muster/protocol/messages/sasl_authenticate_response.hpp>
#include <muster/protocol/messages/sasl_handshake_request.hpp>
#include <muster/protocol/messages/sasl_handshake_response.hpp>

#include <gtest/gtest.h>

namespace muster::sockets {
namespace {

constexpr std::int8_t topic_type = 2;
constexpr std::int8_t broker_type = 4;
constexpr std::int8_t group_type = 32;

TEST(ConfigsOfOneRequest, AreAlteredAndDescribedByWhoeverOwnsTheResource) {
  Served host({"message.max.bytes=70000"});
  Client client(host.port());
  create_topic(client, "t", 1);
  find_coordinator(client, "g");

  protocol::AlterConfigsRequest alter;
  alter.resources.push_back({topic_type, "t", {{"retention.ms", "5"}}});
  alter.resources.push_back({broker_type, "", {{"node.id", "7"}}});
  alter.resources.push_back({group_type, "g", {{"consumer.session.timeout.ms", "50000"}}});
  const auto altered = client.ask<protocol::AlterConfigsResponse>(alter, 2);
  ASSERT_EQ(altered.message.responses.size(), 3U);
  EXPECT_EQ(altered.message.responses[0].error_code, 0);
  EXPECT_EQ(altered.message.responses[1].error_message,
            "Cannot update these configs dynamically: [node.id]");
  EXPECT_EQ(altered.message.responses[2].error_code, 0);

  protocol::DescribeConfigsRequest describe;
  describe.resources.push_back({group_type, "g", {{"consumer.session.timeout.ms"}}});
  describe.resources.push_back({topic_type, "t", {{"retention.ms"}}});
  describe.resources.push_back({broker_type, "0", {{"message.max.bytes"}}});
  const auto described = client.ask<protocol::DescribeConfigsResponse>(describe, 4);
  ASSERT_EQ(described.message.results.size(), 3U);
  for (const auto& result : described.message.results) ASSERT_EQ(result.configs.size(), 1U);
  EXPECT_EQ(described.message.results[0].configs[0].value, "50000");
  EXPECT_EQ(described.message.results[1].configs[0].value, "5");
  const auto& of_broker = described.message.results[2].configs[0];
  EXPECT_EQ(of_broker.value, "70000");
  EXPECT_EQ(of_broker.config_source, 4);
  EXPECT_TRUE(of_broker.read_only);
}

// Observed from Kafka 4.4.0.
TEST(Sasl, IsRefusedWithAnAnswer) {
  Served host;
  Client client(host.port());
  protocol::SaslHandshakeRequest handshake;
  handshake.mechanism = "PLAIN";
  const auto shaken = client.ask<protocol::SaslHandshakeResponse>(handshake, 1);
  EXPECT_EQ(shaken.message.error_code, 34);
  EXPECT_TRUE(shaken.message.mechanisms.empty());
  const auto authenticated =
      client.ask<protocol::SaslAuthenticateResponse>(protocol::SaslAuthenticateRequest(), 2);
  EXPECT_EQ(authenticated.message.error_code, 34);
  EXPECT_EQ(authenticated.message.error_message,
            "SaslAuthenticate request received after successful authentication");
}

}  // namespace
}  // namespace muster::sockets
