// Reads Kafka's primitive types from one frame. The first failure sticks and empties the reader, so
// callers check ok() once at the end. Nothing claimed by the frame is trusted beyond its length.
// Owner: protocol. One thread at a time.
#pragma once

#include <muster/protocol/types.hpp>

#include <bit>
#include <limits>

namespace muster::protocol {

class Reader {
 public:
  explicit Reader(Bytes frame)
      : begin_(frame.data()), cursor_(frame.data()), end_(frame.data() + frame.size()) {}

  [[nodiscard]] bool ok() const { return error_ == nullptr; }
  [[nodiscard]] std::string_view error() const { return ok() ? "" : error_; }
  [[nodiscard]] std::size_t error_offset() const { return error_offset_; }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - cursor_); }
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(cursor_ - begin_); }
  [[nodiscard]] Bytes rest() const { return {cursor_, remaining()}; }

  // `what` must outlive the reader: a literal.
  void fail(const char* what);

  bool read_bool() { return read_int8() != 0; }
  std::int8_t read_int8() { return static_cast<std::int8_t>(read_big_endian<std::uint8_t>()); }
  std::int16_t read_int16() { return static_cast<std::int16_t>(read_big_endian<std::uint16_t>()); }
  std::uint16_t read_uint16() { return read_big_endian<std::uint16_t>(); }
  std::int32_t read_int32() { return static_cast<std::int32_t>(read_big_endian<std::uint32_t>()); }
  std::uint32_t read_uint32() { return read_big_endian<std::uint32_t>(); }
  std::int64_t read_int64() { return static_cast<std::int64_t>(read_big_endian<std::uint64_t>()); }
  double read_float64() { return std::bit_cast<double>(read_big_endian<std::uint64_t>()); }

  Uuid read_uuid() {
    Uuid id;
    if (const std::uint8_t* at = take(16)) std::memcpy(id.bytes.data(), at, 16);
    return id;
  }

  std::uint32_t read_uvarint() {
    if (cursor_ != end_ && *cursor_ < 0x80) [[likely]]
      return *cursor_++;
    return read_long_uvarint();
  }
  std::int32_t read_varint() {
    const std::uint32_t raw = read_uvarint();
    return static_cast<std::int32_t>((raw >> 1) ^ (0U - (raw & 1U)));
  }
  std::int64_t read_varlong();

  Bytes read_raw(std::size_t size) {
    const std::uint8_t* at = take(size);
    return at == nullptr ? Bytes{} : Bytes{at, size};
  }

  // `compact` is what flexible versions use: an unsigned varint holding length + 1.
  std::string_view read_string(bool compact) {
    const std::int32_t length = read_string_length(compact);
    if (length < 0) [[unlikely]]
      return fail("null where a string must be"), std::string_view{};
    return as_text(read_raw(static_cast<std::size_t>(length)));
  }
  std::optional<std::string_view> read_nullable_string(bool compact) {
    const std::int32_t length = read_string_length(compact);
    if (length < 0) return std::nullopt;
    return as_text(read_raw(static_cast<std::size_t>(length)));
  }
  Bytes read_bytes(bool compact) {
    const std::int32_t length = read_length(compact);
    if (length < 0) [[unlikely]]
      return fail("null where bytes must be"), Bytes{};
    return read_raw(static_cast<std::size_t>(length));
  }
  std::optional<Bytes> read_nullable_bytes(bool compact) {
    const std::int32_t length = read_length(compact);
    if (length < 0) return std::nullopt;
    return read_raw(static_cast<std::size_t>(length));
  }

  // The number of elements, or -1 for null. `minimal_size` is the least an element can take: a
  // count that cannot fit in the rest of the frame fails here, before anything is allocated.
  std::int32_t read_nullable_count(bool compact, std::size_t minimal_size) {
    const std::int32_t count = read_length(compact);
    if (count < 0) return -1;
    if (static_cast<std::uint64_t>(count) * minimal_size > remaining()) [[unlikely]] {
      fail("array longer than the frame");
      return 0;
    }
    return count;
  }
  std::int32_t read_count(bool compact, std::size_t minimal_size) {
    const std::int32_t count = read_nullable_count(compact, minimal_size);
    if (count < 0) [[unlikely]]
      return fail("null where an array must be"), 0;
    return count;
  }

  // The marker before a nullable struct: true if the struct follows.
  bool read_presence(bool tagged) {
    const bool present = tagged ? read_uvarint() != 0 : read_int8() >= 0;
    return present && ok();
  }

  // Calls on_tag(tag) for each field of the section; it returns false for tags it does not know,
  // which are then skipped. A field sees no byte beyond its own.
  template <class OnTag>
  void read_tagged_fields(OnTag&& on_tag) {
    std::uint32_t left = read_uvarint();
    for (; left > 0 && ok(); --left) {
      const std::uint32_t tag = read_uvarint();
      const std::uint32_t size = read_uvarint();
      if (size > remaining()) return fail("tagged field longer than the frame");
      const std::uint8_t* const field_end = cursor_ + size;
      const std::uint8_t* const frame_end = end_;
      end_ = field_end;
      if (!on_tag(tag)) cursor_ = field_end;
      if (!ok()) return;
      end_ = frame_end;
      if (cursor_ != field_end) return fail("tagged field shorter than its size");
    }
  }
  void skip_tagged_fields() {
    read_tagged_fields([](std::uint32_t) { return false; });
  }

 private:
  const std::uint8_t* take(std::size_t size) {
    if (size > remaining()) [[unlikely]]
      return fail("frame ends too early"), nullptr;
    const std::uint8_t* at = cursor_;
    cursor_ += size;
    return at;
  }

  template <class Unsigned>
  Unsigned read_big_endian() {
    const std::uint8_t* at = take(sizeof(Unsigned));
    if (at == nullptr) [[unlikely]]
      return 0;
    Unsigned value;
    std::memcpy(&value, at, sizeof value);
    return std::endian::native == std::endian::big ? value : std::byteswap(value);
  }

  // Lengths: -1 is null; anything beyond 31 bits fails.
  std::int32_t read_compact_length() {
    const std::uint32_t raw = read_uvarint();
    if (raw > 0x80000000U) [[unlikely]]
      return fail("length beyond 31 bits"), 0;
    return ok() ? static_cast<std::int32_t>(raw - 1) : 0;
  }
  std::int32_t read_length(bool compact) { return compact ? read_compact_length() : read_int32(); }
  std::int32_t read_string_length(bool compact) {
    if (!compact) return read_int16();
    const std::int32_t length = read_compact_length();
    if (length > std::numeric_limits<std::int16_t>::max()) [[unlikely]] {
      return fail("string longer than 32767 bytes"), 0;
    }
    return length;
  }
  std::uint32_t read_long_uvarint();

  const std::uint8_t* begin_;
  const std::uint8_t* cursor_;
  const std::uint8_t* end_;
  const char* error_ = nullptr;
  std::size_t error_offset_ = 0;
};

}  // namespace muster::protocol
