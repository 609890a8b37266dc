// See rocks_keys.hpp.
#include "log/rocks_keys.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

namespace muster::embedded {
namespace {

using protocol::Reader;
using protocol::Writer;

constexpr std::size_t prefix_size = 16 + 4;

template <class Write>
std::string written(Write write) {
  protocol::Buffer buffer;
  {
    Writer out(buffer);
    write(out);
  }
  return std::string(protocol::as_text(buffer));
}

// Nothing where the bytes are too few or too many.
template <class Value, class Read>
std::optional<Value> read_all(std::string_view bytes, Read read) {
  Reader in(protocol::as_bytes(bytes));
  Value value = read(in);
  if (!in.ok() || in.remaining() != 0) return std::nullopt;
  return value;
}

std::int64_t after_prefix(std::string_view key) {
  return Reader(protocol::as_bytes(key.substr(std::min(key.size(), prefix_size)))).read_int64();
}

}  // namespace

PartitionKeys::PartitionKeys(const protocol::Uuid& topic, std::int32_t partition)
    : prefix_(written([&](Writer& out) {
        out.write_uuid(topic);
        out.write_int32(partition);
      })) {}

std::string PartitionKeys::at(std::int64_t number) const { return prefix_ + to_value(number); }

std::int64_t number_in(std::string_view key) { return after_prefix(key); }

KeyRange keys_of(const protocol::Uuid& topic) {
  const std::string first = written([&](Writer& out) { out.write_uuid(topic); });
  return {first, first + std::string(13, '\xff')};
}

std::string to_value(const IndexValue& value) {
  return written([&](Writer& out) {
    out.write_int64(value.last_offset);
    out.write_int64(value.max_timestamp);
    out.write_int64(value.size);
    out.write_int64(value.position);
    out.write_int64(value.greatest_timestamp);
  });
}

std::optional<IndexValue> index_value(std::string_view value) {
  return read_all<IndexValue>(value, [](Reader& in) {
    IndexValue out;
    out.last_offset = in.read_int64();
    out.max_timestamp = in.read_int64();
    out.size = in.read_int64();
    out.position = in.read_int64();
    out.greatest_timestamp = in.read_int64();
    return out;
  });
}

std::string to_value(const ProducerEntry& entry) {
  return written([&](Writer& out) {
    out.write_int16(entry.epoch);
    out.write_int64(entry.last_write_ms);
    for (std::size_t i = 0; i < entry.count; ++i) {
      const ProducerEntry::Batch& batch = entry.batches[i];
      out.write_int32(batch.first_sequence);
      out.write_int32(batch.last_sequence);
      out.write_int64(batch.first_offset);
      out.write_int64(batch.timestamp);
    }
  });
}

std::optional<ProducerEntry> producer_entry(std::int64_t producer_id, std::string_view value) {
  auto entry = read_all<ProducerEntry>(value, [&](Reader& in) {
    ProducerEntry out;
    out.producer_id = producer_id;
    out.epoch = in.read_int16();
    out.last_write_ms = in.read_int64();
    while (in.remaining() > 0 && in.ok() && out.count < ProducerEntry::kept) {
      ProducerEntry::Batch& batch = out.batches[out.count++];
      batch.first_sequence = in.read_int32();
      batch.last_sequence = in.read_int32();
      batch.first_offset = in.read_int64();
      batch.timestamp = in.read_int64();
    }
    return out;
  });
  if (entry && entry->count == 0) return std::nullopt;
  return entry;
}

std::string to_value(const LogOffsets& bounds) {
  return written([&](Writer& out) {
    out.write_int64(bounds.start);
    out.write_int64(bounds.end);
  });
}

std::optional<LogOffsets> bounds_value(std::string_view value) {
  return read_all<LogOffsets>(value, [](Reader& in) {
    LogOffsets out;
    out.start = in.read_int64();
    out.end = in.read_int64();
    return out;
  });
}

std::string to_value(std::int64_t number) {
  return written([&](Writer& out) { out.write_int64(number); });
}

std::optional<std::int64_t> number_value(std::string_view value) {
  return read_all<std::int64_t>(value, [](Reader& in) { return in.read_int64(); });
}

}  // namespace muster::embedded
