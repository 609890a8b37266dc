// Builds record batches and transaction markers. Owner: protocol.
#include <muster/protocol/crc32c.hpp>
#include <muster/protocol/record_batch.hpp>

#include <algorithm>
#include <cassert>

namespace muster::protocol {
namespace {

std::size_t size_of_nullable(const std::optional<Bytes>& bytes) {
  if (!bytes) return 1;
  return size_of_varint(static_cast<std::int32_t>(bytes->size())) + bytes->size();
}

void write_nullable(Writer& out, const std::optional<Bytes>& bytes) {
  if (!bytes) return out.write_varint(-1);
  out.write_varint(static_cast<std::int32_t>(bytes->size()));
  out.write_raw(*bytes);
}

}  // namespace

void BatchBuilder::add(const NewRecord& record) {
  if (count_ == 0) base_timestamp_ = max_timestamp_ = record.timestamp;
  max_timestamp_ = std::max(max_timestamp_, record.timestamp);
  const std::int64_t timestamp_delta = record.timestamp - base_timestamp_;
  const auto header_count = static_cast<std::int32_t>(record.headers.size());
  std::size_t size = 1 + size_of_varlong(timestamp_delta) + size_of_varint(count_) +
                     size_of_nullable(record.key) + size_of_nullable(record.value) +
                     size_of_varint(header_count);
  for (const RecordHeader& header : record.headers) {
    size += size_of_nullable(as_bytes(header.key)) + size_of_nullable(header.value);
  }
  Writer out(block_);
  out.reserve(size + 5);
  out.write_varint(static_cast<std::int32_t>(size));
  out.write_int8(0);
  out.write_varlong(timestamp_delta);
  out.write_varint(count_);
  write_nullable(out, record.key);
  write_nullable(out, record.value);
  out.write_varint(header_count);
  for (const RecordHeader& header : record.headers) {
    write_nullable(out, as_bytes(header.key));
    write_nullable(out, header.value);
  }
  ++count_;
}

void BatchBuilder::finish(Buffer& out, Compression compression, Bytes compressed_block) const {
  assert(count_ > 0);
  const std::size_t start = out.size();
  {
    Writer writer(out);
    writer.reserve(batch_header_size + compressed_block.size());
    writer.write_int64(options_.base_offset);
    writer.write_int32(static_cast<std::int32_t>(batch_header_size - 12 + compressed_block.size()));
    writer.write_int32(options_.partition_leader_epoch);
    writer.write_int8(batch_magic);
    writer.write_uint32(0);
    writer.write_int16(static_cast<std::int16_t>(static_cast<int>(compression) |
                                                 (options_.transactional ? 0x10 : 0) |
                                                 (options_.control ? 0x20 : 0)));
    writer.write_int32(count_ - 1);
    writer.write_int64(base_timestamp_);
    writer.write_int64(max_timestamp_);
    writer.write_int64(options_.producer_id);
    writer.write_int16(options_.producer_epoch);
    writer.write_int32(options_.base_sequence);
    writer.write_int32(count_);
    writer.write_raw(compressed_block);
  }
  const std::uint32_t crc = crc32c(Bytes(std::span(out).subspan(start + 21)));
  for (std::size_t i = 0; i < 4; ++i) {
    out[start + 17 + i] = static_cast<std::uint8_t>(crc >> (24 - 8 * i));
  }
}

void append_marker(Buffer& out, const TransactionMarker& marker) {
  Buffer key;
  Buffer value;
  {
    Writer key_out(key);
    key_out.write_int16(0);
    key_out.write_int16(static_cast<std::int16_t>(marker.type));
    Writer value_out(value);
    value_out.write_int16(0);
    value_out.write_int32(marker.coordinator_epoch);
  }
  BatchBuilder builder({.base_offset = marker.base_offset,
                        .partition_leader_epoch = marker.partition_leader_epoch,
                        .producer_id = marker.producer_id,
                        .producer_epoch = marker.producer_epoch,
                        .transactional = true,
                        .control = true});
  builder.add({.timestamp = marker.timestamp, .key = key, .value = value});
  builder.finish(out);
}

}  // namespace muster::protocol
