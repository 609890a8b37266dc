// The value types every message is made of. Strings and bytes are views: into the frame when a
// message was decoded, into the caller's memory when it is to be encoded. Owner: protocol.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::protocol {

using Buffer = std::vector<std::uint8_t>;

// A std::span with comparison by content, so that messages holding one have a defaulted ==.
class Bytes : public std::span<const std::uint8_t> {
 public:
  using std::span<const std::uint8_t>::span;
  constexpr Bytes() = default;
  constexpr Bytes(std::span<const std::uint8_t> view) : span(view) {}

  friend bool operator==(Bytes a, Bytes b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
  }
};

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// 128 bits, big-endian as on the wire. All zero means "none". Its text is Kafka's: 22 characters
// of unpadded base64url.
struct Uuid {
  std::array<std::uint8_t, 16> bytes{};

  [[nodiscard]] bool is_zero() const { return *this == Uuid{}; }
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] static std::optional<Uuid> from_string(std::string_view text);

  friend bool operator==(const Uuid&, const Uuid&) = default;
  friend std::strong_ordering operator<=>(const Uuid&, const Uuid&) = default;
};

}  // namespace muster::protocol

template <>
struct std::hash<muster::protocol::Uuid> {
  std::size_t operator()(const muster::protocol::Uuid& id) const noexcept {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::memcpy(&high, id.bytes.data(), 8);
    std::memcpy(&low, id.bytes.data() + 8, 8);
    // Ids are random already; the multiplication only guards against made-up ones.
    return static_cast<std::size_t>((high ^ (low * 0x9E3779B97F4A7C15U)) * 0xD6E8FEB86659FD93U);
  }
};

template <>
inline constexpr bool std::ranges::enable_borrowed_range<muster::protocol::Bytes> = true;

template <>
inline constexpr bool std::ranges::enable_view<muster::protocol::Bytes> = true;
