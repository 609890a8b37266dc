// The uncommon paths of Reader: failures and varints of more than one byte. Owner: protocol.
#include <muster/protocol/reader.hpp>

namespace muster::protocol {

void Reader::fail(const char* what) {
  if (error_ == nullptr) {
    error_ = what;
    error_offset_ = offset();
  }
  cursor_ = end_;
}

std::uint32_t Reader::read_long_uvarint() {
  std::uint32_t value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    if (cursor_ == end_) return fail("frame ends too early"), 0;
    const std::uint8_t byte = *cursor_++;
    if (shift == 28 && byte > 0x0F) break;
    value |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  fail("varint beyond 32 bits");
  return 0;
}

std::int64_t Reader::read_varlong() {
  std::uint64_t raw = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (cursor_ == end_) return fail("frame ends too early"), 0;
    const std::uint8_t byte = *cursor_++;
    if (shift == 63 && byte > 1) break;
    raw |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return static_cast<std::int64_t>((raw >> 1) ^ (0U - (raw & 1U)));
  }
  fail("varlong beyond 64 bits");
  return 0;
}

}  // namespace muster::protocol
