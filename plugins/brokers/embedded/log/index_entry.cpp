// See index_entry.hpp. Big-endian, the checksum last.
#include "log/index_entry.hpp"

#include <muster/protocol/crc32c.hpp>
#include <muster/protocol/reader.hpp>

namespace muster::embedded {
namespace {

constexpr std::size_t checked_size = index_entry_size - sizeof(std::uint32_t);

class Put {
 public:
  explicit Put(IndexBytes& bytes) : at_(bytes.data()) {}

  template <class Integer>
  Put& operator<<(Integer value) {
    auto bits = static_cast<std::make_unsigned_t<Integer>>(value);
    if constexpr (std::endian::native == std::endian::little) bits = std::byteswap(bits);
    std::memcpy(at_, &bits, sizeof bits);
    at_ += sizeof bits;
    return *this;
  }

 private:
  std::uint8_t* at_;
};

}  // namespace

std::int32_t last_sequence(const IndexEntry& entry) {
  const std::int64_t delta = entry.range.last_offset - entry.range.base_offset;
  return static_cast<std::int32_t>((entry.first_sequence + delta) & 0x7fffffff);
}

IndexBytes to_bytes(const IndexEntry& entry) {
  IndexBytes bytes;
  Put put(bytes);
  put << entry.range.base_offset << entry.range.last_offset << entry.range.max_timestamp
      << entry.greatest_timestamp << entry.position << entry.producer_id << entry.written_ms
      << entry.size << entry.first_sequence << entry.producer_epoch << std::int16_t{0};
  put << protocol::crc32c(protocol::Bytes(bytes).first(checked_size));
  return bytes;
}

std::optional<IndexEntry> index_entry(std::span<const std::uint8_t, index_entry_size> bytes) {
  protocol::Reader in(bytes);
  IndexEntry entry;
  entry.range.base_offset = in.read_int64();
  entry.range.last_offset = in.read_int64();
  entry.range.max_timestamp = in.read_int64();
  entry.greatest_timestamp = in.read_int64();
  entry.position = in.read_int64();
  entry.producer_id = in.read_int64();
  entry.written_ms = in.read_int64();
  entry.size = in.read_int32();
  entry.first_sequence = in.read_int32();
  entry.producer_epoch = in.read_int16();
  in.read_int16();
  const auto sum = static_cast<std::uint32_t>(in.read_int32());
  const BatchRange& range = entry.range;
  const bool good = protocol::crc32c(bytes.first(checked_size)) == sum && range.base_offset >= 0 &&
                    range.last_offset >= range.base_offset && entry.position >= 0 && entry.size > 0;
  if (!good) return std::nullopt;
  return entry;
}

}  // namespace muster::embedded
