// Appends Kafka's primitive types to a buffer, and says beforehand how long they will be.
// Owner: protocol. One thread at a time.
#pragma once

#include <muster/protocol/types.hpp>

#include <bit>
#include <limits>

namespace muster::protocol {

// Kafka's strings end at 32767 bytes in every version. A longer one can only be a text of our own
// (an error message that quotes its input), so it is cut, never written with a wrong length.
inline constexpr std::size_t max_string_size = 32767;

constexpr std::size_t size_of_uvarint(std::uint32_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1U)) + 6) / 7;
}
constexpr std::uint32_t zigzag(std::int32_t value) {
  return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::size_t size_of_varint(std::int32_t value) { return size_of_uvarint(zigzag(value)); }
constexpr std::size_t size_of_varlong(std::int64_t value) {
  return (static_cast<std::size_t>(std::bit_width(zigzag(value) | 1U)) + 6) / 7;
}

constexpr std::string_view clip(std::string_view text) { return text.substr(0, max_string_size); }

constexpr std::size_t size_of_string(std::string_view text, bool compact) {
  const std::size_t size = clip(text).size();
  return size + (compact ? size_of_uvarint(static_cast<std::uint32_t>(size) + 1) : 2);
}
constexpr std::size_t size_of_nullable_string(std::optional<std::string_view> text, bool compact) {
  return text ? size_of_string(*text, compact) : compact ? 1 : 2;
}
constexpr std::size_t size_of_count(std::size_t count, bool compact) {
  return compact ? size_of_uvarint(static_cast<std::uint32_t>(count) + 1) : 4;
}
constexpr std::size_t size_of_null_count(bool compact) { return compact ? 1 : 4; }
inline std::size_t size_of_bytes(Bytes bytes, bool compact) {
  return bytes.size() + size_of_count(bytes.size(), compact);
}
inline std::size_t size_of_nullable_bytes(const std::optional<Bytes>& bytes, bool compact) {
  return bytes ? size_of_bytes(*bytes, compact) : size_of_null_count(compact);
}
// What a tagged field takes: its tag, its size, its data.
constexpr std::size_t size_of_tagged(std::uint32_t tag, std::size_t data_size) {
  return size_of_uvarint(tag) + size_of_uvarint(static_cast<std::uint32_t>(data_size)) + data_size;
}

// While a writer lives the buffer may hold spare bytes behind what was written; flush() or the
// destructor cuts them off.
class Writer {
 public:
  explicit Writer(Buffer& out) : out_(out), cursor_(out.data() + out.size()), end_(cursor_) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { flush(); }

  // Room for `size` more bytes; worth calling once when the size is known.
  void reserve(std::size_t size) {
    if (size > spare()) [[unlikely]]
      grow(size);
  }
  void flush() {
    out_.resize(position());
    end_ = cursor_;
  }
  // Bytes in the buffer so far, with those that were there before this writer.
  [[nodiscard]] std::size_t position() const {
    return static_cast<std::size_t>(cursor_ - out_.data());
  }

  void write_bool(bool value) { write_big_endian(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void write_int8(std::int8_t value) { write_big_endian(static_cast<std::uint8_t>(value)); }
  void write_int16(std::int16_t value) { write_big_endian(static_cast<std::uint16_t>(value)); }
  void write_uint16(std::uint16_t value) { write_big_endian(value); }
  void write_int32(std::int32_t value) { write_big_endian(static_cast<std::uint32_t>(value)); }
  void write_uint32(std::uint32_t value) { write_big_endian(value); }
  void write_int64(std::int64_t value) { write_big_endian(static_cast<std::uint64_t>(value)); }
  void write_float64(double value) { write_big_endian(std::bit_cast<std::uint64_t>(value)); }
  void write_uuid(const Uuid& id) { write_raw(Bytes{id.bytes.data(), id.bytes.size()}); }

  void write_uvarint(std::uint32_t value) {
    reserve(size_of_uvarint(value));
    for (; value >= 0x80; value >>= 7) *cursor_++ = static_cast<std::uint8_t>(value | 0x80U);
    *cursor_++ = static_cast<std::uint8_t>(value);
  }
  void write_varint(std::int32_t value) { write_uvarint(zigzag(value)); }
  void write_varlong(std::int64_t value) {
    reserve(size_of_varlong(value));
    std::uint64_t raw = zigzag(value);
    for (; raw >= 0x80; raw >>= 7) *cursor_++ = static_cast<std::uint8_t>(raw | 0x80U);
    *cursor_++ = static_cast<std::uint8_t>(raw);
  }

  void write_raw(Bytes bytes) {
    if (bytes.empty()) return;
    reserve(bytes.size());
    std::memcpy(cursor_, bytes.data(), bytes.size());
    cursor_ += bytes.size();
  }

  void write_string(std::string_view text, bool compact) {
    const Bytes bytes = as_bytes(clip(text));
    if (compact) {
      write_uvarint(static_cast<std::uint32_t>(bytes.size()) + 1);
    } else {
      write_uint16(static_cast<std::uint16_t>(bytes.size()));
    }
    write_raw(bytes);
  }
  void write_nullable_string(std::optional<std::string_view> text, bool compact) {
    if (text) return write_string(*text, compact);
    if (compact) return write_uvarint(0);
    write_int16(-1);
  }
  void write_count(std::size_t count, bool compact) {
    if (compact) return write_uvarint(static_cast<std::uint32_t>(count) + 1);
    write_int32(static_cast<std::int32_t>(count));
  }
  void write_null_count(bool compact) {
    if (compact) return write_uvarint(0);
    write_int32(-1);
  }
  void write_bytes(Bytes bytes, bool compact) {
    write_count(bytes.size(), compact);
    write_raw(bytes);
  }
  void write_nullable_bytes(const std::optional<Bytes>& bytes, bool compact) {
    if (bytes) return write_bytes(*bytes, compact);
    write_null_count(compact);
  }
  void write_presence(bool present, bool tagged) {
    if (tagged) return write_uvarint(present ? 1 : 0);
    write_int8(present ? 1 : -1);
  }
  void write_tag(std::uint32_t tag, std::size_t data_size) {
    write_uvarint(tag);
    write_uvarint(static_cast<std::uint32_t>(data_size));
  }

 private:
  [[nodiscard]] std::size_t spare() const { return static_cast<std::size_t>(end_ - cursor_); }
  void grow(std::size_t size);

  template <class Unsigned>
  void write_big_endian(Unsigned value) {
    reserve(sizeof(Unsigned));
    if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
    std::memcpy(cursor_, &value, sizeof value);
    cursor_ += sizeof(Unsigned);
  }

  Buffer& out_;
  std::uint8_t* cursor_;
  std::uint8_t* end_;
};

}  // namespace muster::protocol
