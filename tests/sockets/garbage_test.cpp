// Bytes without sense, and requests with a few bits flipped: the host answers or closes, and stays.
#include "served.hpp"
#include "valid_frames.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>

#include <algorithm>
#include <map>
#include <random>

namespace muster::sockets {
namespace {

using protocol::ApiVersionsResponse;

struct ServedApi {
  std::int16_t key;
  std::int16_t version;
};

std::vector<ServedApi> served_apis(const Served& host) {
  Client client(host.port());
  const auto response = client.ask<ApiVersionsResponse>(protocol::ApiVersionsRequest{}, 0);
  std::vector<ServedApi> all;
  for (const auto& api : response.message.api_keys) {
    for (std::int16_t version = api.min_version; version <= api.max_version; ++version) {
      all.push_back({api.api_key, version});
    }
  }
  return all;
}

// Sends it as the only bytes of a connection. Whatever comes back, the connection ends.
void try_bytes(const Served& host, const Buffer& bytes) {
  const Client client(host.port());
  client.send(bytes);
  client.finish_sending();
  (void)client.read_to_end();
}

class Garbage : public ::testing::Test {
 protected:
  std::size_t below(std::size_t end) { return random_() % end; }
  Buffer random_bytes(std::size_t size) {
    Buffer bytes(size);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_());
    return bytes;
  }

  Served host;

 private:
  std::mt19937_64 random_{20260601};
};

TEST_F(Garbage, RandomBytes) {
  for (int i = 0; i < 200; ++i) try_bytes(host, random_bytes(below(300)));
  EXPECT_TRUE(host.answers());
}

TEST_F(Garbage, RandomFrames) {
  for (int i = 0; i < 200; ++i) try_bytes(host, framed(random_bytes(1 + below(300))));
  EXPECT_TRUE(host.answers());
}

TEST_F(Garbage, EveryApiAndVersionWithRandomBodies) {
  for (const auto& api : served_apis(host)) {
    for (const bool flexible : {false, true}) {
      const Buffer body = random_bytes(below(200));
      try_bytes(host, request_of({api.key, api.version, 1, flexible}, body));
    }
  }
  EXPECT_TRUE(host.answers());
}

TEST_F(Garbage, EveryApiAndVersionWithFlippedBits) {
  const std::vector<ValidFrame> frames = valid_frames();
  for (const auto& api : served_apis(host)) {
    // Produce counts from 0 for old clients; what is below 3 is refused.
    if (api.key == 0 && api.version < 3) continue;
    const auto same = [&](const ValidFrame& one) {
      return one.key == api.key && one.version == api.version;
    };
    const auto valid = std::ranges::find_if(frames, same);
    ASSERT_NE(valid, frames.end()) << "key " << api.key << " version " << api.version;
    {
      const Client client(host.port());
      client.send(valid->bytes);
      EXPECT_TRUE(client.receive()) << "key " << api.key << " version " << api.version;
    }
    for (int i = 0; i < 8; ++i) {
      Buffer frame = valid->bytes;
      // Behind length, key and version: those are tried elsewhere.
      for (int flip = 0; flip <= i % 3; ++flip) {
        frame[8 + below(frame.size() - 8)] ^= static_cast<std::uint8_t>(1u << below(8));
      }
      try_bytes(host, frame);
    }
  }
  EXPECT_TRUE(host.answers());
}

TEST_F(Garbage, HeartbeatsWithFlippedBits) {
  protocol::ConsumerGroupHeartbeatRequest beat;
  beat.group_id = "group";
  beat.member_id = "member";
  beat.rebalance_timeout_ms = 1000;
  beat.subscribed_topic_names.emplace().push_back("topic");
  beat.subscribed_topic_regex = "t.*";
  beat.topic_partitions.emplace().emplace_back().partitions = {0, 1, 2};
  const Buffer good = request(beat, 1, 1);
  for (int i = 0; i < 300; ++i) {
    Buffer frame = good;
    frame[4 + below(frame.size() - 4)] ^= static_cast<std::uint8_t>(1u << below(8));
    try_bytes(host, frame);
  }
  EXPECT_TRUE(host.answers());
}

}  // namespace
}  // namespace muster::sockets
