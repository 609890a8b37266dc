// Whole messages and coordinator records to and from bytes. Decoded messages hold views into the
// bytes they came from. Owner: protocol. Free of state.
#pragma once

#include <muster/protocol/arrays.hpp>

#include <expected>

namespace muster::protocol {

struct DecodeError {
  std::string_view what;
  std::size_t offset = 0;

  friend bool operator==(const DecodeError&, const DecodeError&) = default;
};

// Bytes behind the message are not an error, as in Kafka; who cares reads with a Reader and asks
// remaining().
template <MessageStruct T>
std::expected<T, DecodeError> decode(Bytes body, std::int16_t version) {
  if (version < T::min_version || version > T::max_version) {
    return std::unexpected(DecodeError{"unsupported version", 0});
  }
  Reader in(body);
  std::expected<T, DecodeError> message;
  message->read(in, version);
  if (!in.ok()) [[unlikely]]
    message = std::unexpected(DecodeError{in.error(), in.error_offset()});
  return message;
}

// Appends. Fields that `version` lacks are left out; a null where `version` allows none becomes the
// empty value.
template <MessageStruct T>
void encode(const T& message, std::int16_t version, Buffer& out) {
  Writer writer(out);
  writer.reserve(message.size(version));
  message.write(writer, version);
}

// Coordinator records. A key is its record type and its fields, always in version 0.
template <class Key>
void encode_key(const Key& key, Buffer& out) {
  Writer writer(out);
  writer.reserve(2 + key.size(0));
  writer.write_int16(Key::record_type);
  key.write(writer, 0);
}

template <class Key>
Buffer encode_key(const Key& key) {
  Buffer out;
  encode_key(key, out);
  return out;
}

inline std::optional<std::int16_t> record_type(Bytes key) {
  if (key.size() < 2) return std::nullopt;
  return Reader(key).read_int16();
}

template <class Key>
std::expected<Key, DecodeError> decode_key(Bytes key) {
  if (record_type(key) != Key::record_type) {
    return std::unexpected(DecodeError{"another record type", 0});
  }
  auto decoded = decode<Key>(key.subspan(2), 0);
  if (!decoded) decoded.error().offset += 2;
  return decoded;
}

// A value is its version and its fields.
template <class Value>
void encode_value(const Value& value, std::int16_t version, Buffer& out) {
  Writer writer(out);
  writer.reserve(2 + value.size(version));
  writer.write_int16(version);
  value.write(writer, version);
}

template <class Value>
Buffer encode_value(const Value& value, std::int16_t version = Value::max_version) {
  Buffer out;
  encode_value(value, version, out);
  return out;
}

template <class Value>
std::expected<Value, DecodeError> decode_value(Bytes value) {
  if (value.size() < 2) return std::unexpected(DecodeError{"value without a version", 0});
  auto decoded = decode<Value>(value.subspan(2), Reader(value).read_int16());
  if (!decoded) decoded.error().offset += 2;
  return decoded;
}

}  // namespace muster::protocol
