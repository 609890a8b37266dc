// Bytes from anywhere into every slot that takes bytes: an answer, a closed connection or an error,
// never a crash, never a change of state.
#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/list_groups_request.hpp>
#include <muster/protocol/messages/offset_delete_request.hpp>

#include <random>

#include "offsets_rig.hpp"

namespace muster::offsets {
namespace {

OFFSETS_TESTS(OffsetsGarbage);

using Random = std::mt19937_64;

Buffer noise(Random& random, std::size_t most) {
  Buffer out(random() % (most + 1));
  for (std::uint8_t& byte : out) {
    // Small numbers make it past more lengths and counts.
    byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 4);
  }
  return out;
}

void damage(Random& random, Buffer& bytes) {
  for (std::uint64_t i = 0; i < 1 + random() % 3 && !bytes.empty(); ++i) {
    bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
  }
  if (random() % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
}

RequestSpec sound_request(OffsetsRig& rig, Random& random) {
  const auto version = [&](std::int16_t low, std::int16_t high) {
    return static_cast<std::int16_t>(low + random() % (high - low + 1));
  };
  protocol::OffsetFetchRequest fetch;
  fetch.group_id = "g";
  fetch.topics = {{"orders", {0, 1}}};
  fetch.groups = {{"g", "m", 1, {{{"orders", topic_id(1), {0, 1}}}}},
                  {"h", std::nullopt, -1, std::nullopt}};
  switch (random() % 6) {
    case 0: return spec_of(rig.commit_request("g", {{"orders", 0, 1, "m"}}), version(2, 10));
    case 1: return spec_of(fetch, version(1, 10));
    case 2: return spec_of(protocol::DescribeGroupsRequest{{"g", "h"}}, version(0, 6));
    case 3: return spec_of(protocol::ListGroupsRequest{{"stable"}, {"classic"}}, version(0, 5));
    case 4: return spec_of(protocol::DeleteGroupsRequest{{"x", "y"}}, version(0, 3));
    default: return spec_of(protocol::OffsetDeleteRequest{"x", {{"orders", {{0}}}}}, 0);
  }
}

// decide's promise: it answers, closes, or fails and then has done nothing.
void expect_kept_promise(const Outcome& outcome) {
  if (outcome.code == MUSTER_OK) {
    EXPECT_TRUE(outcome.response.has_value() != !outcome.closed.empty());
  } else {
    EXPECT_TRUE(outcome.writes.empty());
  }
}

void drive(OffsetsRig& rig, const RequestSpec& spec) {
  const auto routed = rig.route(spec);
  rig.try_refuse(spec, 16);
  expect_kept_promise(rig.decide(spec));
  for (const auto& part : routed.parts) {
    RequestSpec one = spec;
    one.body = part.body;
    one.key = part.key;
    expect_kept_promise(rig.decide(one));
  }
}

TEST_P(OffsetsGarbage, NoiseInBodiesIsAnsweredOrCloses) {
  Random random{1};
  for (int i = 0; i < 4000; ++i) {
    RequestSpec spec = sound_request(rig, random);
    spec.body = noise(random, 60);
    drive(rig, spec);
  }
}

TEST_P(OffsetsGarbage, DamagedBodiesAreAnsweredOrClose) {
  FakeOwner consumer{"consumer"};
  rig.own("h", consumer);
  Random random{2};
  for (int i = 0; i < 4000; ++i) {
    RequestSpec spec = sound_request(rig, random);
    damage(random, spec.body);
    drive(rig, spec);
  }
}

TEST_P(OffsetsGarbage, DamagedRecordsAreReadOrCorrupt) {
  Random random{3};
  int corrupt = 0;
  for (int i = 0; i < 4000; ++i) {
    Buffer key = offset_key("g", "orders", 0);
    Buffer value = offset_value({1, 2, "m", 3, 4, topic_id(1)}, static_cast<std::int16_t>(i % 5));
    damage(random, random() % 2 == 0 ? key : value);
    const bool is_note = random() % 4 == 0;
    const muster_code code = rig.replay(is_note, key, value);
    EXPECT_TRUE(code == MUSTER_OK || code == MUSTER_CORRUPT) << code;
    corrupt += code == MUSTER_CORRUPT ? 1 : 0;
  }
  EXPECT_GT(corrupt, 0);
}

TEST_P(OffsetsGarbage, AClaimedHugeCountAllocatesNothing) {
  RequestSpec spec = spec_of(protocol::DescribeGroupsRequest{}, 0);
  spec.body = {0x7F, 0xFF, 0xFF, 0xFF};
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
}

TEST_P(OffsetsGarbage, AnApiThatWasNotClaimedFails) {
  RequestSpec spec;
  spec.api_key = 11;
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(rig.try_refuse(spec, 16).first, MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(rig.decide(spec).code, MUSTER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::offsets
