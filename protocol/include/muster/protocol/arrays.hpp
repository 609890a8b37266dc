// Arrays of each element type: read, write, size. Used by the generated code. Owner: protocol.
#pragma once

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

#include <concepts>

namespace muster::protocol {

template <class T>
concept MessageStruct = requires(T value, Reader& in, Writer& out, std::int16_t version) {
  value.read(in, version);
  value.write(out, version);
  { value.size(version) } -> std::same_as<std::size_t>;
};

// How an array is laid out: `compact` in flexible versions, `version` for its elements, and the
// least bytes that one element takes.
struct ArrayLayout {
  bool compact = false;
  std::int16_t version = 0;
  std::size_t minimal_size = 1;
};

// What a null becomes in a version that allows none.
template <class T>
const T& or_empty(const std::optional<T>& value) {
  static const T empty{};
  return value ? *value : empty;
}

template <std::integral T>
T read_element(Reader& in) {
  if constexpr (sizeof(T) == 1) return static_cast<T>(in.read_int8());
  if constexpr (sizeof(T) == 2) return static_cast<T>(in.read_int16());
  if constexpr (sizeof(T) == 4) return static_cast<T>(in.read_int32());
  if constexpr (sizeof(T) == 8) return static_cast<T>(in.read_int64());
}

template <std::integral T>
void write_element(Writer& out, T value) {
  if constexpr (sizeof(T) == 1) out.write_int8(static_cast<std::int8_t>(value));
  if constexpr (sizeof(T) == 2) out.write_int16(static_cast<std::int16_t>(value));
  if constexpr (sizeof(T) == 4) out.write_int32(static_cast<std::int32_t>(value));
  if constexpr (sizeof(T) == 8) out.write_int64(static_cast<std::int64_t>(value));
}

template <class T>
void read_elements(Reader& in, std::vector<T>& values, std::int32_t count, ArrayLayout layout) {
  // A small frame can claim many small elements whose structs are large here: room is made as they
  // prove to be there.
  constexpr std::int32_t most_reserved = 1024;
  values.clear();
  if (count > 0) {
    values.reserve(static_cast<std::size_t>(count < most_reserved ? count : most_reserved));
  }
  for (std::int32_t i = 0; i < count && in.ok(); ++i) {
    if constexpr (std::integral<T>) {
      values.push_back(read_element<T>(in));
    } else if constexpr (std::same_as<T, std::string_view>) {
      values.push_back(in.read_string(layout.compact));
    } else if constexpr (std::same_as<T, Uuid>) {
      values.push_back(in.read_uuid());
    } else {
      values.emplace_back().read(in, layout.version);
    }
  }
}

template <class T>
void read_array(Reader& in, std::vector<T>& values, ArrayLayout layout) {
  read_elements(in, values, in.read_count(layout.compact, layout.minimal_size), layout);
}

template <class T>
void read_nullable_array(Reader& in, std::optional<std::vector<T>>& values, ArrayLayout layout) {
  const std::int32_t count = in.read_nullable_count(layout.compact, layout.minimal_size);
  if (count < 0) return values.reset();
  if (!values) values.emplace();
  read_elements(in, *values, count, layout);
}

template <class T>
void write_array(Writer& out, const std::vector<T>& values, ArrayLayout layout) {
  out.write_count(values.size(), layout.compact);
  if constexpr (std::integral<T>) out.reserve(values.size() * sizeof(T));
  for (const T& value : values) {
    if constexpr (std::integral<T>) {
      write_element(out, value);
    } else if constexpr (std::same_as<T, std::string_view>) {
      out.write_string(value, layout.compact);
    } else if constexpr (std::same_as<T, Uuid>) {
      out.write_uuid(value);
    } else {
      value.write(out, layout.version);
    }
  }
}

template <class T>
void write_nullable_array(Writer& out, const std::optional<std::vector<T>>& values,
                          ArrayLayout layout) {
  if (values) return write_array(out, *values, layout);
  out.write_null_count(layout.compact);
}

template <class T>
std::size_t size_of_array(const std::vector<T>& values, ArrayLayout layout) {
  std::size_t size = size_of_count(values.size(), layout.compact);
  if constexpr (std::integral<T> || std::same_as<T, Uuid>) {
    size += values.size() * sizeof(T);
  } else if constexpr (std::same_as<T, std::string_view>) {
    for (const T& value : values) size += size_of_string(value, layout.compact);
  } else {
    for (const T& value : values) size += value.size(layout.version);
  }
  return size;
}

template <class T>
std::size_t size_of_nullable_array(const std::optional<std::vector<T>>& values,
                                   ArrayLayout layout) {
  return values ? size_of_array(*values, layout) : size_of_null_count(layout.compact);
}

}  // namespace muster::protocol
