// Bytes that no client sends: the broker answers or closes, and goes on.
#include <gtest/gtest.h>

#include <random>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

void expect_answered(BrokerRig& rig, std::int16_t api, std::int16_t version, const Buffer& body) {
  const auto answer = rig.send(api, version, Bytes(body), {.connection = 99});
  // A fetch may be one that waits.
  rig.gone(99);
  EXPECT_NE(answer->wait(), Outcome::waiting);
}

template <class Use>
void for_each_version(const BrokerRig& rig, Use use) {
  for (std::uint32_t i = 0; i < rig.table().api_count; ++i) {
    const muster_api_claim& api = rig.table().apis[i];
    for (std::int16_t version = api.min; version <= api.max; ++version) use(api.key, version);
  }
}

TEST(Garbage, RandomBytesNeverHurtAnyApiInAnyVersion) {
  BrokerRig rig;
  create(rig, "t");
  std::mt19937 random(7);
  for_each_version(rig, [&](std::int16_t api, std::int16_t version) {
    for (int round = 0; round < 200; ++round) {
      Buffer body(random() % 64);
      for (auto& byte : body) {
        // Small numbers make counts and lengths that are believed.
        byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 4);
      }
      expect_answered(rig, api, version, body);
    }
  });
  EXPECT_EQ(produce(rig, "t", batch()).error_code, 0);
}

TEST(Garbage, AnEmptyBodyIsAnsweredOrCloses) {
  BrokerRig rig;
  for_each_version(rig, [&](std::int16_t api, std::int16_t version) {
    expect_answered(rig, api, version, {});
  });
}

TEST(Garbage, UnclaimedApisAndVersionsClose) {
  BrokerRig rig;
  EXPECT_EQ(rig.send(999, 0, Buffer{})->wait(), Outcome::closed);
  EXPECT_EQ(rig.send(3, 99, Buffer{})->wait(), Outcome::closed);
  EXPECT_EQ(rig.send(1, 3, Buffer(100))->wait(), Outcome::closed);
}

// Flips bytes of a request that means something, so that what is broken lies deep inside.
void mutate(BrokerRig& rig, std::int16_t api, std::int16_t version, const Buffer& body) {
  std::mt19937 random(static_cast<std::uint32_t>(api * 100 + version));
  for (int round = 0; round < 300; ++round) {
    Buffer changed = body;
    for (std::uint32_t flips = 1 + random() % 3; flips > 0; --flips) {
      changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
    }
    if (round % 3 == 0) changed.resize(random() % changed.size());
    expect_answered(rig, api, version, changed);
  }
}

TEST(Garbage, BrokenProducesAreAnsweredOrClose) {
  BrokerRig rig;
  create(rig, "t");
  for (const auto codec : {protocol::Compression::none, protocol::Compression::gzip,
                           protocol::Compression::snappy, protocol::Compression::lz4,
                           protocol::Compression::zstd}) {
    const Buffer plain = batch(5, {1, 0, 0});
    const Buffer records =
        codec == protocol::Compression::none ? plain : compressed(plain, codec);
    Buffer body;
    protocol::encode(produce_request("t", records), 9, body);
    mutate(rig, 0, 9, body);
  }
}

TEST(Garbage, BrokenBlocksUnderAGoodChecksumAreAnswered) {
  BrokerRig rig;
  create(rig, "t");
  std::mt19937 random(11);
  for (const auto codec : {protocol::Compression::none, protocol::Compression::gzip,
                           protocol::Compression::snappy, protocol::Compression::lz4,
                           protocol::Compression::zstd}) {
    const Buffer plain = batch(5);
    const Buffer good = codec == protocol::Compression::none ? plain : compressed(plain, codec);
    for (int round = 0; round < 300; ++round) {
      Buffer records = good;
      const std::size_t at = 21 + random() % (records.size() - 21);
      records[at] = static_cast<std::uint8_t>(random());
      fix_crc(records);
      produce(rig, "t", records);
    }
  }
  // Whatever was let in can be read again.
  for (const std::int64_t timestamp : {std::int64_t{-3}, std::int64_t{0}, start_ms + 3}) {
    EXPECT_EQ(list_offset(rig, "t", timestamp).error_code, 0);
  }
}

TEST(Garbage, BrokenFetchesAndListOffsetsAreAnsweredOrClose) {
  BrokerRig rig;
  create(rig, "t");
  produce(rig, "t", batch());
  Buffer body;
  protocol::encode(fetch_request("t", 0), 12, body);
  mutate(rig, 1, 12, body);
  body.clear();
  protocol::encode(list_request("t", 0), 7, body);
  mutate(rig, 2, 7, body);
}

}  // namespace
}  // namespace muster::embedded::test
