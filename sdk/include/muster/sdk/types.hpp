// The border's words in C++: strings, bytes, arrays, and the check before every use of a slot.
// Null is kept apart from empty: std::optional here, data == NULL at the border. Any thread.
#pragma once

#include <muster/abi/types.h>

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include <muster/sdk/failure.hpp>

namespace muster::sdk {

using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view to_view(muster_str text) {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

constexpr std::optional<std::string_view> to_nullable_view(muster_str text) {
  if (text.data == nullptr) return std::nullopt;
  return std::string_view{text.data, text.size};
}

// An empty view may point nowhere, which would read as null on the other side.
constexpr muster_str to_str(std::string_view text) {
  return {text.data() == nullptr ? "" : text.data(), text.size()};
}

constexpr muster_str to_nullable_str(std::optional<std::string_view> text) {
  return text ? to_str(*text) : muster_str{nullptr, 0};
}

constexpr Bytes to_span(muster_bytes bytes) {
  return bytes.data == nullptr ? Bytes{} : Bytes{bytes.data, bytes.size};
}

constexpr std::optional<Bytes> to_nullable_span(muster_bytes bytes) {
  if (bytes.data == nullptr) return std::nullopt;
  return Bytes{bytes.data, bytes.size};
}

namespace detail {
inline constexpr std::uint8_t empty_byte = 0;
}

constexpr muster_bytes to_bytes(Bytes bytes) {
  return {bytes.data() == nullptr ? &detail::empty_byte : bytes.data(), bytes.size()};
}

constexpr muster_bytes to_nullable_bytes(std::optional<Bytes> bytes) {
  return bytes ? to_bytes(*bytes) : muster_bytes{nullptr, 0};
}

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A topic id as the wire has it; all zero = none. Ordered by its bytes, not as Kafka's Java does.
struct Uuid {
  std::array<std::uint8_t, 16> bytes{};

  constexpr bool is_zero() const { return *this == Uuid{}; }
  friend constexpr bool operator==(const Uuid&, const Uuid&) = default;
  friend constexpr std::strong_ordering operator<=>(const Uuid&, const Uuid&) = default;
};

inline Uuid to_uuid(const muster_uuid& id) {
  Uuid out;
  std::memcpy(out.bytes.data(), id.bytes, sizeof id.bytes);
  return out;
}

inline muster_uuid to_uuid(const Uuid& id) {
  muster_uuid out;
  std::memcpy(out.bytes, id.bytes.data(), sizeof out.bytes);
  return out;
}

// A border array of strings or bytes, read as views. Lives as long as the slot that got it.
template <class Raw, class View, View (*Convert)(Raw)>
class Array {
 public:
  class Iterator {
   public:
    using value_type = View;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const View*;
    using reference = View;
    constexpr Iterator() = default;
    constexpr explicit Iterator(const Raw* at) : at_(at) {}
    constexpr View operator*() const { return Convert(*at_); }
    constexpr Iterator& operator++() { return ++at_, *this; }
    constexpr Iterator operator++(int) { return Iterator{at_++}; }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    const Raw* at_ = nullptr;
  };

  constexpr Array() = default;
  constexpr Array(const Raw* data, std::size_t size) : raw_(data, data == nullptr ? 0 : size) {}

  constexpr std::size_t size() const { return raw_.size(); }
  constexpr bool empty() const { return raw_.empty(); }
  constexpr View operator[](std::size_t index) const { return Convert(raw_[index]); }
  constexpr Iterator begin() const { return Iterator{raw_.data()}; }
  constexpr Iterator end() const { return Iterator{raw_.data() + raw_.size()}; }
  constexpr std::span<const Raw> raw() const { return raw_; }

 private:
  std::span<const Raw> raw_;
};

using Strings = Array<muster_str, std::string_view, to_view>;
using Parts = Array<muster_bytes, Bytes, to_span>;

// Whether the other side's table is long enough to have this member.
template <class Table, class Member>
constexpr bool covers(const Table& table, Member Table::* member) {
  const auto* start = reinterpret_cast<const char*>(&table);
  const auto* end = reinterpret_cast<const char*>(&(table.*member)) + sizeof(Member);
  return table.struct_size >= static_cast<std::size_t>(end - start);
}

// A slot of the other side's table, or a Failure where that side does not offer it.
template <class Table, class Slot>
Slot offered(const Table* table, Slot Table::* slot) {
  if (table == nullptr || !covers(*table, slot) || table->*slot == nullptr) {
    throw Failure(MUSTER_UNAVAILABLE, "the host does not offer this slot");
  }
  return table->*slot;
}

// A data member of the other side's table, or `otherwise` where that side is too old to have it.
template <class Table, class Member>
Member member_or(const Table& table, Member Table::* member, Member otherwise = {}) {
  return covers(table, member) ? table.*member : otherwise;
}

// What a host service or sink returned; anything but OK becomes a Failure.
inline void require_ok(muster_code code, const char* what) {
  if (code != MUSTER_OK) throw Failure(code, what);
}

}  // namespace muster::sdk

template <>
struct std::hash<muster::sdk::Uuid> {
  std::size_t operator()(const muster::sdk::Uuid& id) const noexcept {
    std::uint64_t halves[2];
    std::memcpy(halves, id.bytes.data(), sizeof halves);
    return static_cast<std::size_t>((halves[0] ^ (halves[1] * 0x9E3779B97F4A7C15U)) *
                                    0xD6E8FEB86659FD93U);
  }
};
