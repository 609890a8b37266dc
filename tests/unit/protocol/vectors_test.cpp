// Every message, record key and record value, in every version, against what Kafka 4.4.0's own
// serializers wrote and what its own deserializers read.
#include "probe.hpp"
#include "vector_file.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace muster::protocol::testing {
namespace {

std::string label(const Vector& vector) {
  return vector.message + " v" + std::to_string(vector.version) + " " + vector.style;
}

void check_framed(const Probe& probe, const Vector& vector) {
  ASSERT_NE(probe.decode_and_encode_framed, nullptr) << label(vector);
  const Outcome outcome = probe.decode_and_encode_framed(vector.bytes, vector.version);
  ASSERT_EQ(outcome.error, "") << label(vector);
  ASSERT_EQ(outcome.text, vector.text) << label(vector);
  ASSERT_EQ(to_hex(outcome.encoded), to_hex(vector.bytes)) << label(vector);
  ASSERT_EQ(outcome.size, vector.bytes.size()) << label(vector);
}

void check(const Probe& probe, const Vector& vector) {
  if (vector.style == "framed") return check_framed(probe, vector);
  const Outcome outcome = probe.decode_and_encode(vector.bytes, vector.version);
  ASSERT_EQ(outcome.error, "") << label(vector);
  ASSERT_EQ(outcome.remaining, 0U) << label(vector);
  ASSERT_EQ(outcome.text, vector.text) << label(vector);
  ASSERT_TRUE(outcome.same_again) << label(vector);
  ASSERT_EQ(outcome.size, outcome.encoded.size()) << label(vector);
  // Unknown tags are skipped, so they do not come back.
  if (vector.style == "unknown_tags" && outcome.encoded.size() < vector.bytes.size()) return;
  ASSERT_EQ(to_hex(outcome.encoded), to_hex(vector.bytes)) << label(vector);
}

TEST(ProtocolVectors, EveryMessageReadsAndWritesAsKafkaDoes) {
  std::size_t checked = 0;
  for_each_vector([&](const Vector& vector) {
    const Probe* probe = find_probe(vector.message);
    ASSERT_NE(probe, nullptr) << vector.message << " is not generated";
    check(*probe, vector);
    ++checked;
  });
  EXPECT_GT(checked, 6000U);
}

TEST(ProtocolVectors, EveryVersionOfEveryGeneratedMessageHasVectors) {
  std::map<std::string, std::set<std::int16_t>> seen;
  for_each_vector([&](const Vector& vector) { seen[vector.message].insert(vector.version); });
  EXPECT_EQ(all_probes().size(), 245U);
  for (const Probe& probe : all_probes()) {
    for (std::int16_t version = probe.min_version; version <= probe.max_version; ++version) {
      EXPECT_TRUE(seen[std::string(probe.name)].contains(version)) << probe.name << " " << version;
    }
  }
}

}  // namespace
}  // namespace muster::protocol::testing
