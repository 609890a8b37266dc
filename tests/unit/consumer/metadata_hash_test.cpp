// Kafka's metadata hash, against what Kafka 4.4 wrote into its log.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "metadata_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace muster::consumer {
namespace {

void put(std::vector<std::uint8_t>& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

// Topic fb224579, id 7f2862e51a1a4b92bab4a5340fc6d2ca, 4 partitions, no racks.
std::uint64_t topic_hash() {
  std::vector<std::uint8_t> out{0};
  put(out, 0x7f2862e51a1a4b92U, 8);
  put(out, 0xbab4a5340fc6d2caU, 8);
  for (const char unit : std::string_view("fb224579")) put(out, static_cast<std::uint8_t>(unit), 2);
  put(out, 8, 4);
  put(out, 4, 4);
  for (std::uint32_t partition = 0; partition < 4; ++partition) put(out, partition, 4);
  return XXH3_64bits(out.data(), out.size());
}

TEST(MetadataHash, OfOneTopicIsWhatKafkaWrote) {
  const std::uint64_t hashes[] = {topic_hash()};
  EXPECT_EQ(hash_of_topics(hashes), 0xb7dedb74a08e50c1U);
}

TEST(MetadataHash, OfNothingIsZero) { EXPECT_EQ(hash_of_topics({}), 0U); }

TEST(MetadataHash, DependsOnTheOrderOfItsTopics) {
  const std::uint64_t ab[] = {1, 2};
  const std::uint64_t ba[] = {2, 1};
  EXPECT_NE(hash_of_topics(ab), hash_of_topics(ba));
}

}  // namespace
}  // namespace muster::consumer
