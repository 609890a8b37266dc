// Reader: what it accepts, and that every lie of a frame is a failure.
#include <muster/protocol/arrays.hpp>

#include <gtest/gtest.h>

namespace muster::protocol {
namespace {

Reader reading(const Buffer& bytes) { return Reader(bytes); }

TEST(Reader, NumbersAreBigEndian) {
  const Buffer bytes{0x80, 0xFF, 0xFE, 0x01, 0x02, 0x03, 0x04, 0, 0, 0, 0, 0, 0, 1, 0};
  Reader in(bytes);
  EXPECT_EQ(in.read_int8(), -128);
  EXPECT_EQ(in.read_int16(), -2);
  EXPECT_EQ(in.read_int32(), 0x01020304);
  EXPECT_EQ(in.read_int64(), 256);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0U);
}

TEST(Reader, AnyByteButZeroIsTrue) {
  const Buffer bytes{0, 1, 2};
  Reader in(bytes);
  EXPECT_FALSE(in.read_bool());
  EXPECT_TRUE(in.read_bool());
  EXPECT_TRUE(in.read_bool());
}

TEST(Reader, FirstFailureSticksAndEmptiesTheReader) {
  const Buffer bytes{0, 1, 2, 3, 4};
  Reader in(bytes);
  in.read_int16();
  EXPECT_EQ(in.read_int32(), 0);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.error(), "frame ends too early");
  EXPECT_EQ(in.error_offset(), 2U);
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_EQ(in.read_int8(), 0);
  in.fail("another");
  EXPECT_EQ(in.error(), "frame ends too early");
}

TEST(Reader, UvarintsOfUpToFiveBytes) {
  const Buffer bytes{0x00, 0x7F, 0x80, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
  Reader in(bytes);
  EXPECT_EQ(in.read_uvarint(), 0U);
  EXPECT_EQ(in.read_uvarint(), 127U);
  EXPECT_EQ(in.read_uvarint(), 128U);
  EXPECT_EQ(in.read_uvarint(), 0xFFFFFFFFU);
  EXPECT_TRUE(in.ok());
}

TEST(Reader, LongerUvarintsFail) {
  for (const Buffer& bytes : {Buffer{0xFF, 0xFF, 0xFF, 0xFF, 0x1F},
                              Buffer{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, Buffer{0x80}}) {
    Reader in(bytes);
    EXPECT_EQ(in.read_uvarint(), 0U);
    EXPECT_FALSE(in.ok());
  }
}

TEST(Reader, SignedVarintsAreZigzag) {
  const Buffer bytes{0x00, 0x01, 0x02, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
  Reader in(bytes);
  EXPECT_EQ(in.read_varint(), 0);
  EXPECT_EQ(in.read_varint(), -1);
  EXPECT_EQ(in.read_varint(), 1);
  EXPECT_EQ(in.read_varint(), std::numeric_limits<std::int32_t>::min());
}

TEST(Reader, VarlongsOfUpToTenBytes) {
  const Buffer lowest{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};
  EXPECT_EQ(reading(lowest).read_varlong(), std::numeric_limits<std::int64_t>::min());
  const Buffer too_long{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02};
  Reader in(too_long);
  in.read_varlong();
  EXPECT_EQ(in.error(), "varlong beyond 64 bits");
}

TEST(Reader, StringsAreViewsIntoTheFrame) {
  const Buffer bytes{0, 2, 'a', 'b', 3, 'c', 'd'};
  Reader in(bytes);
  const std::string_view plain = in.read_string(false);
  const std::string_view compact = in.read_string(true);
  EXPECT_EQ(plain, "ab");
  EXPECT_EQ(compact, "cd");
  EXPECT_EQ(static_cast<const void*>(plain.data()), bytes.data() + 2);
}

TEST(Reader, NullAndEmptyStringsDiffer) {
  const Buffer plain{0xFF, 0xFF, 0, 0};
  Reader in(plain);
  EXPECT_EQ(in.read_nullable_string(false), std::nullopt);
  EXPECT_EQ(in.read_nullable_string(false), "");
  const Buffer compact{0, 1};
  Reader compact_in(compact);
  EXPECT_EQ(compact_in.read_nullable_string(true), std::nullopt);
  EXPECT_EQ(compact_in.read_nullable_string(true), "");
}

TEST(Reader, NullWhereItIsIllegalFails) {
  const Buffer plain{0xFF, 0xFF, 0xFF, 0xFF};
  const Buffer compact{0};
  Reader string_in(compact);
  string_in.read_string(true);
  EXPECT_EQ(string_in.error(), "null where a string must be");
  Reader bytes_in(plain);
  bytes_in.read_bytes(false);
  EXPECT_EQ(bytes_in.error(), "null where bytes must be");
  Reader count_in(plain);
  EXPECT_EQ(count_in.read_count(false, 1), 0);
  EXPECT_EQ(count_in.error(), "null where an array must be");
}

TEST(Reader, LengthsBeyondTheFrameFail) {
  const Buffer string{0x7F, 0xFF, 'a'};
  EXPECT_EQ(reading(string).read_string(false), "");
  const Buffer bytes{0x7F, 0xFF, 0xFF, 0xFF, 1};
  Reader in(bytes);
  EXPECT_TRUE(in.read_bytes(false).empty());
  EXPECT_FALSE(in.ok());
}

TEST(Reader, CompactLengthBeyond31BitsFails) {
  const Buffer largest{0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
  Reader in(largest);
  EXPECT_EQ(in.read_nullable_bytes(true), Bytes{});
  EXPECT_EQ(in.error(), "length beyond 31 bits");
}

TEST(Reader, CompactStringBeyond32767BytesFails) {
  Buffer bytes{0x81, 0x80, 0x02};  // 32768 + 1
  bytes.resize(40000);
  Reader in(bytes);
  in.read_string(true);
  EXPECT_EQ(in.error(), "string longer than 32767 bytes");
}

TEST(Reader, CountThatCannotFitFailsBeforeAllocating) {
  const Buffer bytes{0x7F, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4};
  Reader in(bytes);
  std::vector<std::int32_t> values;
  read_array(in, values, {false, 0, 4});
  EXPECT_EQ(in.error(), "array longer than the frame");
  EXPECT_EQ(values.capacity(), 0U);
}

TEST(Reader, CountIsWeighedWithTheElementSize) {
  const Buffer bytes{0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0};
  Reader in(bytes);
  std::vector<std::int32_t> values;
  read_array(in, values, {false, 0, 4});
  EXPECT_FALSE(in.ok());
  const Buffer fits{0, 0, 0, 1, 0, 0, 0, 7};
  Reader fitting(fits);
  read_array(fitting, values, {false, 0, 4});
  EXPECT_EQ(values, std::vector<std::int32_t>{7});
}

TEST(Reader, NullableArrayIsNullOrHasElements) {
  const Buffer bytes{0, 1, 2, 5};
  Reader in(bytes);
  std::optional<std::vector<std::int8_t>> values;
  read_nullable_array(in, values, {true, 0, 1});
  EXPECT_EQ(values, std::nullopt);
  read_nullable_array(in, values, {true, 0, 1});
  EXPECT_EQ(values, std::vector<std::int8_t>{});
  read_nullable_array(in, values, {true, 0, 1});
  EXPECT_EQ(values, std::vector<std::int8_t>{5});
}

TEST(Reader, UnknownTagsAreSkipped) {
  const Buffer bytes{2, 5, 1, 0xAA, 9, 2, 0xBB, 0xCC, 42};
  Reader in(bytes);
  in.skip_tagged_fields();
  EXPECT_EQ(in.read_int8(), 42);
  EXPECT_TRUE(in.ok());
}

TEST(Reader, TagSectionLongerThanTheFrameFails) {
  const Buffer size_lies{1, 0, 9, 1};
  Reader in(size_lies);
  in.skip_tagged_fields();
  EXPECT_EQ(in.error(), "tagged field longer than the frame");
  const Buffer count_lies{0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0};
  Reader counted(count_lies);
  counted.skip_tagged_fields();
  EXPECT_FALSE(counted.ok());
}

TEST(Reader, TaggedFieldSeesNoByteBeyondItsOwn) {
  const Buffer bytes{1, 0, 2, 1, 2, 3, 4};
  Reader in(bytes);
  in.read_tagged_fields([&](std::uint32_t) {
    in.read_int32();
    return true;
  });
  EXPECT_EQ(in.error(), "frame ends too early");
}

TEST(Reader, TaggedFieldThatLeavesBytesOverFails) {
  const Buffer bytes{1, 0, 2, 1, 2, 3, 4};
  Reader in(bytes);
  in.read_tagged_fields([&](std::uint32_t) {
    in.read_int8();
    return true;
  });
  EXPECT_EQ(in.error(), "tagged field shorter than its size");
}

TEST(Reader, PresenceMarkers) {
  const Buffer bytes{0xFF, 1, 0, 1};
  Reader in(bytes);
  EXPECT_FALSE(in.read_presence(false));
  EXPECT_TRUE(in.read_presence(false));
  EXPECT_FALSE(in.read_presence(true));
  EXPECT_TRUE(in.read_presence(true));
  EXPECT_FALSE(in.read_presence(false));
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace muster::protocol
