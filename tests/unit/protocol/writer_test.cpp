// Writer: its bytes, the sizes it announces, and the buffer it leaves behind.
#include <muster/protocol/arrays.hpp>

#include <gtest/gtest.h>

#include <string>

namespace muster::protocol {
namespace {

template <class Write>
Buffer written(Write&& write) {
  Buffer out;
  Writer writer(out);
  write(writer);
  writer.flush();
  return out;
}

TEST(Writer, NumbersAreBigEndian) {
  const Buffer bytes = written([](Writer& out) {
    out.write_bool(true);
    out.write_int8(-1);
    out.write_int16(258);
    out.write_uint16(65535);
    out.write_int32(-2);
    out.write_int64(1);
    out.write_float64(1.0);
  });
  EXPECT_EQ(bytes, (Buffer{1, 0xFF, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 0, 0, 0,
                           0, 0,    0, 0, 1,    0x3F, 0xF0, 0,    0,    0,    0, 0, 0}));
}

TEST(Writer, VarintSizesAreWhatIsWritten) {
  for (int bit = 0; bit <= 32; ++bit) {
    const auto value = static_cast<std::uint32_t>((std::uint64_t{1} << bit) - 1);
    const Buffer bytes = written([&](Writer& out) { out.write_uvarint(value); });
    EXPECT_EQ(bytes.size(), size_of_uvarint(value)) << value;
    EXPECT_EQ(Reader(bytes).read_uvarint(), value);
  }
}

TEST(Writer, SignedVarintsReadBack) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const std::int64_t value : {static_cast<std::int64_t>(std::uint64_t{1} << bit),
                                     static_cast<std::int64_t>(~(std::uint64_t{1} << bit))}) {
      const Buffer wide = written([&](Writer& out) { out.write_varlong(value); });
      EXPECT_EQ(wide.size(), size_of_varlong(value));
      EXPECT_EQ(Reader(wide).read_varlong(), value);
      const auto narrow = static_cast<std::int32_t>(value);
      const Buffer bytes = written([&](Writer& out) { out.write_varint(narrow); });
      EXPECT_EQ(bytes.size(), size_of_varint(narrow));
      EXPECT_EQ(Reader(bytes).read_varint(), narrow);
    }
  }
}

TEST(Writer, StringSizesAreWhatIsWritten) {
  for (const std::size_t size : {0U, 1U, 126U, 127U, 16382U, 16383U, 32767U}) {
    const std::string text(size, 'x');
    for (const bool compact : {false, true}) {
      const Buffer bytes = written([&](Writer& out) { out.write_string(text, compact); });
      EXPECT_EQ(bytes.size(), size_of_string(text, compact));
      EXPECT_EQ(Reader(bytes).read_string(compact), text);
    }
  }
}

TEST(Writer, StringsEndAt32767Bytes) {
  const std::string text(40000, 'x');
  for (const bool compact : {false, true}) {
    const Buffer bytes = written([&](Writer& out) { out.write_string(text, compact); });
    EXPECT_EQ(bytes.size(), size_of_string(text, compact));
    EXPECT_EQ(Reader(bytes).read_string(compact).size(), 32767U);
  }
}

TEST(Writer, NullsOfEachKind) {
  const Buffer plain = written([](Writer& out) {
    out.write_nullable_string(std::nullopt, false);
    out.write_nullable_bytes(std::nullopt, false);
    out.write_null_count(false);
    out.write_presence(false, false);
  });
  EXPECT_EQ(plain, Buffer(11, 0xFF));
  const Buffer compact = written([](Writer& out) {
    out.write_nullable_string(std::nullopt, true);
    out.write_nullable_bytes(std::nullopt, true);
    out.write_null_count(true);
    out.write_presence(false, true);
  });
  EXPECT_EQ(compact, Buffer(4, 0));
}

TEST(Writer, AppendsBehindWhatWasThere) {
  Buffer out{9, 9};
  {
    Writer writer(out);
    EXPECT_EQ(writer.position(), 2U);
    writer.write_int8(1);
    EXPECT_EQ(writer.position(), 3U);
  }
  EXPECT_EQ(out, (Buffer{9, 9, 1}));
}

TEST(Writer, LeavesNoSpareBytesBehind) {
  Buffer out;
  {
    Writer writer(out);
    writer.reserve(1000);
    writer.write_int8(1);
    writer.flush();
    EXPECT_EQ(out.size(), 1U);
    writer.write_int8(2);
  }
  EXPECT_EQ(out, (Buffer{1, 2}));
}

TEST(Writer, GrowsAsFarAsNeeded) {
  const Buffer block(100000, 5);
  const Buffer bytes = written([&](Writer& out) {
    for (int i = 0; i < 1000; ++i) out.write_int64(i);
    out.write_raw(block);
  });
  EXPECT_EQ(bytes.size(), 108000U);
  EXPECT_EQ(bytes.back(), 5);
}

}  // namespace
}  // namespace muster::protocol
