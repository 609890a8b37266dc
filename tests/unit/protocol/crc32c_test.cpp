// CRC-32C: known values, and the instruction against the table.
#include <muster/protocol/crc32c.hpp>

#include <gtest/gtest.h>

#include <random>

namespace muster::protocol {
namespace {

Buffer random_bytes(std::size_t size) {
  std::mt19937 random(7);
  Buffer bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc32c({}), 0U);
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xE3069283U);
  EXPECT_EQ(crc32c(Buffer(32, 0)), 0x8A9136AAU);
  EXPECT_EQ(crc32c(Buffer(32, 0xFF)), 0x62A8AB43U);
}

TEST(Crc32c, InstructionAndTableAgreeForAnyLengthAndAlignment) {
  const Buffer bytes = random_bytes(6000);
  for (std::size_t size = 0; size <= 5900; size += size < 1700 ? 1 : 97) {
    const Bytes part = Bytes(bytes).subspan(size % 13, size);
    ASSERT_EQ(crc32c(part), crc32c_by_table(part)) << size;
  }
}

TEST(Crc32c, ContinuesFromASeed) {
  const Buffer bytes = random_bytes(3000);
  const Bytes whole(bytes);
  for (const std::size_t cut : {0U, 1U, 7U, 768U, 2999U, 3000U}) {
    EXPECT_EQ(crc32c(whole.subspan(cut), crc32c(whole.first(cut))), crc32c(whole)) << cut;
    EXPECT_EQ(crc32c_by_table(whole.subspan(cut), crc32c(whole.first(cut))), crc32c(whole)) << cut;
  }
}

}  // namespace
}  // namespace muster::protocol
