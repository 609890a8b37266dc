// The streams under the scanner: what Java clients and others write, and what nobody should.
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include "kit.hpp"
#include "records/record_scanner.hpp"

namespace muster::embedded::test {
namespace {

using protocol::Compression;

// Two records; the second has a null key, 40 times "v", a header with a null value.
constexpr std::string_view plain_block =
    "10000000026b02760062000a020150"
    "76767676767676767676767676767676767676767676767676767676767676767676767676767676"
    "02026801";

struct Scanned {
  std::vector<ScannedRecord> records;
  std::optional<RecordFault> fault;
};

Scanned scan(Compression codec, const Buffer& block, std::int32_t count = 2) {
  ScannedBatch batch;
  batch.codec = static_cast<std::uint8_t>(codec);
  batch.records = Bytes(block);
  batch.record_count = count;
  batch.base_timestamp = 1000;
  batch.max_record_size = 1 << 30;
  RecordScanner scanner(batch);
  Scanned out;
  for (;;) {
    const auto record = scanner.next();
    if (!record) return out.fault = record.error(), out;
    if (!*record) return out;
    out.records.push_back(**record);
  }
}

void expect_the_two_records(const Scanned& scanned, std::string_view what) {
  ASSERT_FALSE(scanned.fault) << what;
  ASSERT_EQ(scanned.records.size(), 2U) << what;
  EXPECT_EQ(scanned.records[0].timestamp, 1000);
  EXPECT_EQ(scanned.records[0].key_size, 1);
  EXPECT_EQ(scanned.records[1].offset_delta, 1);
  EXPECT_EQ(scanned.records[1].timestamp, 1005);
  EXPECT_EQ(scanned.records[1].key_size, -1);
  EXPECT_EQ(scanned.records[1].value_size, 40);
}

TEST(Codec, JavasOwnStreamsAreRead) {
  const auto scan_hex = [](Compression codec, std::string_view hex) {
    expect_the_two_records(scan(codec, from_hex(hex)), hex);
  };
  scan_hex(Compression::none, plain_block);
  scan_hex(Compression::gzip,
           "1f8b08000000000000ff1360606060ca662a634862e062620c282312303165300200d3cfa3013b000000");
  scan_hex(Compression::snappy,
           "82534e415050590000000001000000010000001a3b3c10000000026b02760062000a020150769a01000c02"
           "026801");
  scan_hex(Compression::lz4,
           "04224d186040821b000000ff0110000000026b02760062000a0201507601001350760202680100000000");
  scan_hex(Compression::zstd,
           "28b52ffd0058d40000a010000000026b02760062000a02015076020268010100946009010000");
}

TEST(Codec, OtherLibrariesStreamsAreRead) {
  const Buffer plain = from_hex(plain_block);
  Buffer whole = batch();
  whole.resize(protocol::batch_header_size);
  whole.insert(whole.end(), plain.begin(), plain.end());
  for (const Compression codec :
       {Compression::gzip, Compression::snappy, Compression::lz4, Compression::zstd}) {
    Buffer block = compressed(whole, codec);
    block.erase(block.begin(), block.begin() + protocol::batch_header_size);
    expect_the_two_records(scan(codec, block), std::to_string(static_cast<int>(codec)));

    block.resize(block.size() - 5);
    EXPECT_TRUE(scan(codec, block).fault);
  }
}

TEST(Codec, SnappyStreamsMayHaveManyBlocksAndEmptyOnes) {
  const Buffer block = from_hex(plain_block);
  Buffer stream = from_hex("82534e41505059000000000100000001");
  for (std::size_t at = 0; at < block.size(); ++at) {
    // One literal byte, then a block of nothing.
    const Buffer piece = {0, 0, 0, 3, 1, 0, block[at], 0, 0, 0, 1, 0};
    stream.insert(stream.end(), piece.begin(), piece.end());
  }
  expect_the_two_records(scan(Compression::snappy, stream), "byte by byte");
}

TEST(Codec, AHundredThousandEmptySnappyBlocksAreNoProblem) {
  Buffer stream = from_hex("82534e41505059000000000100000001");
  for (int i = 0; i < 100'000; ++i) stream.insert(stream.end(), {0, 0, 0, 1, 0});
  EXPECT_EQ(scan(Compression::snappy, stream).fault, RecordFault::structure);
}

TEST(Codec, SnappyBlocksThatClaimTheImpossibleAreNotBelieved) {
  // 4 GB out of six bytes.
  EXPECT_EQ(scan(Compression::snappy, from_hex("ffffffff0f00")).fault, RecordFault::stream);
}

TEST(Codec, GzipMayHaveSeveralMembersAndRubbishBehind) {
  const std::string member =
      "1f8b08000000000000ff1360606060ca662a634862e062620c282312303165300200d3cfa3013b000000";
  const std::string twice = member + member;
  EXPECT_EQ(scan(Compression::gzip, from_hex(twice), 4).records.size(), 4U);
  expect_the_two_records(scan(Compression::gzip, from_hex(member + "010203")), "rubbish");
}

// The two records as one LZ4 frame with what the format allows beside them.
Buffer lz4_frame(const LZ4F_preferences_t& preferences, Bytes plain) {
  Buffer out(LZ4F_compressFrameBound(plain.size(), &preferences));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), plain.data(), plain.size(), &preferences));
  return out;
}

TEST(Codec, Lz4FramesMayCarrySizesChecksumsAndLargeBlocks) {
  const Buffer plain = from_hex(plain_block);
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.contentSize = plain.size();
  preferences.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  preferences.frameInfo.blockSizeID = LZ4F_max4MB;
  expect_the_two_records(scan(Compression::lz4, lz4_frame(preferences, Bytes(plain))), "all");

  preferences.frameInfo.blockMode = LZ4F_blockLinked;
  preferences.frameInfo.blockSizeID = LZ4F_max64KB;
  const Buffer many_blocks(200'000);
  EXPECT_EQ(scan(Compression::lz4, lz4_frame(preferences, Bytes(many_blocks))).fault,
            RecordFault::stream);
}

TEST(Codec, Lz4BlocksMayBeStored) {
  const Buffer plain = from_hex(plain_block);
  Buffer frame = from_hex("04224d18604082");
  frame.insert(frame.end(), {static_cast<std::uint8_t>(plain.size()), 0, 0, 0x80});
  frame.insert(frame.end(), plain.begin(), plain.end());
  frame.insert(frame.end(), {0, 0, 0, 0});
  expect_the_two_records(scan(Compression::lz4, frame), "stored");
}

TEST(Codec, ZstdFramesMayCarryChecksums) {
  const Buffer plain = from_hex(plain_block);
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  Buffer frame(ZSTD_compressBound(plain.size()));
  frame.resize(
      ZSTD_compress2(context, frame.data(), frame.size(), plain.data(), plain.size()));
  ZSTD_freeCCtx(context);
  expect_the_two_records(scan(Compression::zstd, frame), "checksum");
  frame.back() ^= 1;
  EXPECT_EQ(scan(Compression::zstd, frame).fault, RecordFault::stream);
}

TEST(Codec, WhatFollowsAnLz4FrameIsNotLookedAt) {
  const std::string frame =
      "04224d186040821b000000ff0110000000026b02760062000a0201507601001350760202680100000000";
  expect_the_two_records(scan(Compression::lz4, from_hex(frame + "010203")), "rubbish");
}

TEST(Codec, BrokenStreamsAreFaults) {
  // A wrong header checksum, dependent blocks, other magic numbers.
  EXPECT_EQ(scan(Compression::lz4, from_hex("04224d186040831b000000ff01")).fault,
            RecordFault::stream);
  EXPECT_EQ(scan(Compression::lz4, from_hex("04224d18404082")).fault, RecordFault::stream);
  EXPECT_EQ(scan(Compression::lz4, {}).fault, RecordFault::stream);
  EXPECT_EQ(scan(Compression::gzip, from_hex("1f8c0800")).fault, RecordFault::stream);
  EXPECT_EQ(scan(Compression::zstd, from_hex("28b52ffe00")).fault, RecordFault::stream);
  EXPECT_EQ(scan(Compression::gzip, {}).fault, RecordFault::stream);
}

TEST(Codec, CountsMustFitWhatIsThere) {
  const Buffer block = from_hex(plain_block);
  EXPECT_EQ(scan(Compression::none, block, 1).fault, RecordFault::structure);
  EXPECT_EQ(scan(Compression::none, block, 3).fault, RecordFault::structure);
  EXPECT_EQ(scan(Compression::none, block, -1).fault, RecordFault::structure);
  EXPECT_FALSE(scan(Compression::none, {}, 0).fault);
}

// The start of a record whose value has this size and is followed by one byte: no headers.
Buffer large_record_start(std::int32_t value_size) {
  Buffer body;
  {
    protocol::Writer out(body);
    out.write_int8(0);
    out.write_varlong(0);
    out.write_varint(0);
    out.write_varint(-1);
    out.write_varint(value_size);
  }
  Buffer start;
  {
    protocol::Writer out(start);
    out.write_varint(static_cast<std::int32_t>(body.size()) + value_size + 1);
    out.write_raw(Bytes(body));
  }
  return start;
}

// As one frame.
Buffer packed(Bytes plain) {
  Buffer whole = batch();
  whole.resize(protocol::batch_header_size);
  whole.insert(whole.end(), plain.begin(), plain.end());
  Buffer out = compressed(whole, Compression::zstd);
  out.erase(out.begin(), out.begin() + protocol::batch_header_size);
  return out;
}

TEST(Codec, ABombIsStoppedWhileItIsUnpacked) {
  constexpr std::int32_t piece = 32 << 20;
  constexpr std::int32_t pieces = 9;
  Buffer bomb = packed(Bytes(large_record_start(pieces * piece)));
  const Buffer zeros = packed(Bytes(Buffer(piece)));
  for (int i = 0; i < pieces; ++i) bomb.insert(bomb.end(), zeros.begin(), zeros.end());
  ASSERT_LT(bomb.size(), 100'000U);

  EXPECT_EQ(scan(Compression::zstd, bomb, 1).fault, RecordFault::bomb);
}

TEST(Codec, ALargeRecordInManyFramesIsNoBomb) {
  constexpr std::int32_t piece = 1 << 20;
  Buffer block = packed(Bytes(large_record_start(3 * piece)));
  const Buffer zeros = packed(Bytes(Buffer(piece)));
  for (int i = 0; i < 3; ++i) block.insert(block.end(), zeros.begin(), zeros.end());
  const Buffer no_headers = packed(Bytes(Buffer(1)));
  block.insert(block.end(), no_headers.begin(), no_headers.end());

  const Scanned scanned = scan(Compression::zstd, block, 1);

  EXPECT_FALSE(scanned.fault);
  EXPECT_EQ(scanned.records.at(0).value_size, 3 * piece);
}

TEST(Codec, ALargeRecordOfACompressedBatchIsRefusedByTheTopicsLimit) {
  BrokerRig rig;
  create(rig, "t", 1, {{"max.decompressed.message.bytes", "1000"}});
  Buffer whole = batch();
  whole.resize(protocol::batch_header_size);
  const Buffer start = large_record_start(2000);
  whole.insert(whole.end(), start.begin(), start.end());
  whole.resize(whole.size() + 2001);

  const Produced answer = produce(rig, "t", compressed(whole, Compression::gzip));

  EXPECT_EQ(answer.error_code, code(Error::invalid_record));
}

TEST(Codec, EveryCodecCanBeProduced) {
  BrokerRig rig;
  create(rig, "t");
  std::int64_t expected = 0;
  for (const Compression codec :
       {Compression::gzip, Compression::snappy, Compression::lz4, Compression::zstd}) {
    const Produced answer = produce(rig, "t", compressed(batch(3), codec));
    EXPECT_EQ(answer.error_code, 0);
    EXPECT_EQ(answer.base_offset, expected);
    expected += 3;
    Buffer cut = compressed(batch(3), codec);
    cut.resize(cut.size() - 5);
    put(cut, 8, static_cast<std::int32_t>(cut.size() - 12));
    fix_crc(cut);
    EXPECT_EQ(produce(rig, "t", cut).error_code, code(Error::unknown_server_error));
  }
}

}  // namespace
}  // namespace muster::embedded::test
