// The topic hash of Kafka's metadata hash. Layout: all little-endian; a string is its UTF-16LE
// units followed by their count as int32. byte 0, id high, id low, name, partition count, then per
// partition its index and each rack in sorted order: rack length, rack string.
#include <xxhash.h>

#include <muster/protocol/java_string.hpp>

#include "runtime/metadata.hpp"

namespace muster::host {
namespace {

void put(Buffer& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

std::uint64_t big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

void put_string(Buffer& out, const std::u16string& text) {
  for (const char16_t unit : text) put(out, unit, 2);
  put(out, text.size(), 4);
}

}  // namespace

std::uint64_t topic_hash(const muster_topic& topic) {
  Buffer out;
  put(out, 0, 1);
  put(out, big_endian(topic.id.bytes), 8);
  put(out, big_endian(topic.id.bytes + 8), 8);
  put_string(out, protocol::to_utf16(from_abi(topic.name)));
  put(out, topic.partition_count, 4);
  for (std::uint32_t p = 0; p < topic.partition_count; ++p) {
    put(out, p, 4);
    for (std::uint32_t r = topic.rack_offsets[p]; r < topic.rack_offsets[p + 1]; ++r) {
      const std::u16string rack = protocol::to_utf16(from_abi(topic.racks[r]));
      put(out, rack.size(), 4);
      put_string(out, rack);
    }
  }
  return XXH3_64bits(out.data(), out.size());
}

}  // namespace muster::host
