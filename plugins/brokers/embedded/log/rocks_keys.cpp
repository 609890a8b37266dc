// See rocks_keys.hpp.
#include "log/rocks_keys.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

namespace muster::embedded {
namespace {

using protocol::Reader;
using protocol::Writer;

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

}  // namespace

PartitionKeys::PartitionKeys(const protocol::Uuid& topic, std::int32_t partition)
    : prefix_(written([&](Writer& out) {
        out.write_uuid(topic);
        out.write_int32(partition);
      })) {}

KeyRange keys_of(const protocol::Uuid& topic) {
  const std::string first = written([&](Writer& out) { out.write_uuid(topic); });
  return {first, first + std::string(13, '\xff')};
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
