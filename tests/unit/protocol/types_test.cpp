// Uuid and Bytes.
#include <muster/protocol/types.hpp>

#include <gtest/gtest.h>

#include <unordered_set>

namespace muster::protocol {
namespace {

Uuid counted_up() {
  Uuid id;
  for (std::size_t i = 0; i < 8; ++i) {
    id.bytes[i] = static_cast<std::uint8_t>(0x01 + 0x22 * i);
    id.bytes[15 - i] = static_cast<std::uint8_t>(0x10 + 0x22 * i);
  }
  return id;
}

TEST(Uuid, ZeroMeansNone) {
  EXPECT_TRUE(Uuid{}.is_zero());
  EXPECT_FALSE(counted_up().is_zero());
}

TEST(Uuid, TextIsUnpaddedBase64Url) {
  EXPECT_EQ(Uuid{}.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(counted_up().to_string(), "ASNFZ4mrze_-3LqYdlQyEA");
  Uuid all_ones;
  all_ones.bytes.fill(0xFF);
  EXPECT_EQ(all_ones.to_string(), "_____________________w");
}

TEST(Uuid, ItsTextReadsBack) {
  EXPECT_EQ(Uuid::from_string("ASNFZ4mrze_-3LqYdlQyEA"), counted_up());
  EXPECT_EQ(Uuid::from_string("AAAAAAAAAAAAAAAAAAAAAA"), Uuid{});
}

TEST(Uuid, OtherTextsAreNone) {
  EXPECT_EQ(Uuid::from_string(""), std::nullopt);
  EXPECT_EQ(Uuid::from_string("ASNFZ4mrze_-3LqYdlQyE"), std::nullopt);
  EXPECT_EQ(Uuid::from_string("ASNFZ4mrze_-3LqYdlQyEA="), std::nullopt);
  EXPECT_EQ(Uuid::from_string("ASNFZ4mrze+-3LqYdlQyEA"), std::nullopt);
}

TEST(Uuid, OrdersAsItsBytes) {
  Uuid small;
  small.bytes[15] = 0xFF;
  Uuid large;
  large.bytes[0] = 0x80;
  EXPECT_LT(small, large);
  EXPECT_LT(Uuid{}, small);
}

TEST(Uuid, WorksAsAHashKey) {
  std::unordered_set<Uuid> ids;
  for (int i = 0; i < 256; ++i) {
    Uuid id;
    id.bytes[static_cast<std::size_t>(i) % 16] = static_cast<std::uint8_t>(i);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 256U);  // the first is all zero
  EXPECT_TRUE(ids.contains(Uuid{}));
}

TEST(Bytes, CompareByContent) {
  const Buffer one{1, 2, 3};
  const Buffer other{1, 2, 3};
  EXPECT_EQ(Bytes(one), Bytes(other));
  EXPECT_NE(Bytes(one), Bytes(one).first(2));
  EXPECT_EQ(Bytes{}, Bytes(one).first(0));
}

TEST(Bytes, ConvertToAndFromText) {
  EXPECT_EQ(as_text(as_bytes("muster")), "muster");
  EXPECT_EQ(as_bytes(""), Bytes{});
}

}  // namespace
}  // namespace muster::protocol
