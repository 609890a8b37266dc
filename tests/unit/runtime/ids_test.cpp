#include "runtime/shard_of.hpp"

#include <gtest/gtest.h>

namespace muster::host {
namespace {

TEST(JavaHash, IsThatOfJavaStrings) {
  EXPECT_EQ(protocol::java_hash(""), 0);
  EXPECT_EQ(protocol::java_hash("a"), 97);
  EXPECT_EQ(protocol::java_hash("hello"), 99162322);
  EXPECT_EQ(protocol::java_hash("consumer-group-1"), protocol::java_hash("consumer-group-0") + 1);
}

TEST(JavaHash, CharactersOutsideTheBasicPlaneCountAsTwoUnits) {
  // U+1F600 is D83D DE00 in UTF-16.
  EXPECT_EQ(protocol::java_hash("\xF0\x9F\x98\x80"), 31 * 0xD83D + 0xDE00);
  EXPECT_EQ(protocol::java_hash("\xC3\xA9"), 0xE9);
  EXPECT_EQ(protocol::java_hash("\xE2\x82\xAC"), 0x20AC);
}

TEST(JavaHash, BytesThatAreNoUtf8HashAsTheReplacementCharacter) {
  EXPECT_EQ(protocol::java_hash("\xFF"), 0xFFFD);
  EXPECT_EQ(protocol::java_hash("\xC3"), 0xFFFD);
}

TEST(TimelineSlot, GrowsWithTheTableAndOrdersGroupsAsKafkaListsThem) {
  EXPECT_EQ(protocol::timeline_slot("grp-1", 2), 0u);
  EXPECT_EQ(protocol::timeline_slot("grp-1", 5), 1u);
  EXPECT_EQ(protocol::timeline_slot("grp-4", 6), 2u);
  EXPECT_EQ(protocol::timeline_slot("grp-1", 6), 3u);
}

TEST(ShardOf, AHashOfTheSmallestIntegerGoesToShardZero) {
  // "polygenelubricants" is the well-known string with that hash.
  EXPECT_EQ(protocol::java_hash("polygenelubricants"), INT32_MIN);
  EXPECT_EQ(shard_of("polygenelubricants", 50), 0u);
}

TEST(ShardOf, ANegativeHashCountsByItsDistanceFromZero) {
  EXPECT_EQ(protocol::java_hash("zzzzzz"), -685785664);
  EXPECT_EQ(shard_of("zzzzzz", 50), 14u);
  EXPECT_EQ(shard_of("group-7", 50), 5u);
}

}  // namespace
}  // namespace muster::host
