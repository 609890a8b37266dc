// See producer_snapshot.hpp. Big-endian, the checksum last.
#include "log/producer_snapshot.hpp"

#include <muster/protocol/crc32c.hpp>
#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

namespace muster::embedded {
namespace {

// So that zeros are none, whose checksum is zero.
constexpr std::uint32_t begins_with = 0x70726f31;
constexpr std::size_t head_size = sizeof begins_with;
constexpr std::size_t sum_size = sizeof(std::uint32_t);
constexpr std::size_t batch_size = 24;
constexpr std::size_t entry_size = 20 + ProducerEntry::kept * batch_size;

void write(protocol::Writer& out, const ProducerEntry& producer) {
  out.write_int64(producer.producer_id);
  out.write_int64(producer.last_write_ms);
  out.write_int16(producer.epoch);
  out.write_int16(static_cast<std::int16_t>(producer.count));
  for (const ProducerEntry::Batch& batch : producer.batches) {
    out.write_int32(batch.first_sequence);
    out.write_int32(batch.last_sequence);
    out.write_int64(batch.first_offset);
    out.write_int64(batch.timestamp);
  }
}

ProducerEntry read(protocol::Reader& in) {
  ProducerEntry producer;
  producer.producer_id = in.read_int64();
  producer.last_write_ms = in.read_int64();
  producer.epoch = in.read_int16();
  producer.count = static_cast<std::uint16_t>(in.read_int16());
  for (ProducerEntry::Batch& batch : producer.batches) {
    batch.first_sequence = in.read_int32();
    batch.last_sequence = in.read_int32();
    batch.first_offset = in.read_int64();
    batch.timestamp = in.read_int64();
  }
  return producer;
}

bool makes_sense(const ProducerEntry& producer) {
  return producer.producer_id >= 0 && producer.count >= 1 && producer.count <= ProducerEntry::kept;
}

}  // namespace

protocol::Buffer to_bytes(std::span<const ProducerEntry> producers) {
  protocol::Buffer bytes;
  protocol::Writer out(bytes);
  out.reserve(head_size + producers.size() * entry_size + sum_size);
  out.write_uint32(begins_with);
  for (const ProducerEntry& producer : producers) write(out, producer);
  out.flush();
  const std::uint32_t sum = protocol::crc32c(bytes);
  out.write_int32(static_cast<std::int32_t>(sum));
  out.flush();
  return bytes;
}

std::optional<std::vector<ProducerEntry>> producer_snapshot(protocol::Bytes bytes) {
  if (bytes.size() % entry_size != head_size + sum_size) return std::nullopt;
  const protocol::Bytes checked = bytes.first(bytes.size() - sum_size);
  protocol::Reader sum(bytes.last(sum_size));
  if (protocol::crc32c(checked) != static_cast<std::uint32_t>(sum.read_int32())) {
    return std::nullopt;
  }
  protocol::Reader in(checked);
  if (static_cast<std::uint32_t>(in.read_int32()) != begins_with) return std::nullopt;
  std::vector<ProducerEntry> producers;
  while (in.remaining() != 0) {
    producers.push_back(read(in));
    if (!makes_sense(producers.back())) return std::nullopt;
  }
  return producers;
}

}  // namespace muster::embedded
