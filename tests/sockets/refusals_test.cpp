// What closes a connection and what is answered all the same, as Kafka does it.
#include "served.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>

#include <gmock/gmock.h>

namespace muster::sockets {
namespace {

using protocol::ApiVersionsRequest;
using protocol::ApiVersionsResponse;

class Refusals : public ::testing::Test {
 protected:
  // The connection is closed and not a byte came.
  void closes(const Buffer& bytes, std::string_view what) const {
    const Client client(host.port());
    client.send(bytes);
    EXPECT_EQ(client.read_to_end(), 0u) << what;
  }

  Served host;
};

TEST_F(Refusals, AnIllegalFrameLengthClosesWithoutAByte) {
  closes({0, 0, 0, 0}, "0");
  closes({0xFF, 0xFF, 0xFF, 0xFF}, "-1");
  closes({0x06, 0x40, 0x00, 0x01}, "104857601");
  closes({0x7F, 0xFF, 0xFF, 0xFF}, "2147483647");
  closes({0x80, 0x00, 0x00, 0x00, 1, 2, 3}, "-2147483648");
  EXPECT_TRUE(host.answers());
}

TEST_F(Refusals, UnknownKeysAndVersionsAndCutBodiesClose) {
  closes(request_of({999, 0, 1}, {}), "API key 999");
  closes(request_of({-1, 0, 1}, {}), "API key -1");
  closes(request_of({3, 99, 1, true}, {}), "Metadata v99");
  closes(request_of({0, 0, 1}, {}), "Produce v0");
  closes(request_of({8, 1, 1}, {}), "OffsetCommit v1");
  closes(framed(Buffer{0}), "a header of one byte");
  closes(framed(Buffer{0, 18, 0, 0, 0, 0, 0}), "a header that is cut");
  Buffer heartbeat;
  protocol::ConsumerGroupHeartbeatRequest message;
  message.group_id = "group";
  message.member_id = "member";
  protocol::encode(message, 0, heartbeat);
  heartbeat.resize(heartbeat.size() - 3);
  closes(request_of({68, 0, 1, true}, heartbeat), "a heartbeat that is cut");
  EXPECT_TRUE(host.answers());
}

TEST_F(Refusals, AnUnknownVersionOfApiVersionsIsAnsweredInVersion0AndTheConnectionLives) {
  Client client(host.port());
  const Buffer garbage{0xDE, 0xAD, 0xBE, 0xEF};
  ASSERT_TRUE(client.send(request_of({18, 99, 7, true}, garbage)));
  const auto refused = client.receive_as<ApiVersionsResponse>(0, 7);
  EXPECT_EQ(refused.message.error_code, 35);
  EXPECT_THAT(refused.message.api_keys,
              ::testing::ElementsAre(ApiVersionsResponse::ApiVersion{18, 0, 5}));
  const auto served = client.ask<ApiVersionsResponse>(ApiVersionsRequest{}, 0);
  EXPECT_EQ(served.message.error_code, 0);
  EXPECT_GT(served.message.api_keys.size(), 20u);
}

TEST_F(Refusals, AClientIdMayBeNullInBothHeaders) {
  const Client client(host.port());
  ASSERT_TRUE(client.send(request_of({18, 0, 5, false, std::nullopt}, {})));
  EXPECT_EQ(client.receive_as<ApiVersionsResponse>(0, 5).message.error_code, 0);
  Buffer body;
  ApiVersionsRequest asked;
  asked.client_software_name = "sockets";
  asked.client_software_version = "1";
  protocol::encode(asked, 4, body);
  ASSERT_TRUE(client.send(request_of({18, 4, 6, true, std::nullopt}, body)));
  EXPECT_EQ(client.receive_as<ApiVersionsResponse>(4, 6).message.error_code, 0);
}

TEST_F(Refusals, TagsThatNobodyKnowsAreSkipped) {
  Client client(host.port());
  // Metadata v12: header and body each with the tag 9 of two bytes; no topics, no flags.
  const Buffer frame{0, 3, 0, 12, 0, 0, 0, 4, 0, 1, 'c', 1, 9, 2, 7, 7, 1, 0, 0, 1, 9, 2, 7, 7};
  ASSERT_TRUE(client.send(framed(frame)));
  const auto metadata = client.receive_as<protocol::MetadataResponse>(12, 4);
  EXPECT_EQ(metadata.message.brokers.size(), 1u);
}

TEST_F(Refusals, WhatWasAskedBeforeAnIllegalRequestIsAnsweredFirst) {
  Client client(host.port());
  create_topic(client, "empty", 1);
  ASSERT_TRUE(client.send(joined({long_poll("empty", 300, 1), request_of({999, 0, 2}, {})})));
  const auto first = client.receive();
  ASSERT_TRUE(first);
  EXPECT_EQ(protocol::Reader(*first).read_int32(), 1);
  EXPECT_EQ(client.read_to_end(), 0u);
}

}  // namespace
}  // namespace muster::sockets
