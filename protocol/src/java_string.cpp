#include <muster/protocol/java_string.hpp>

namespace muster::protocol {
namespace {

constexpr char32_t replacement = 0xFFFD;

struct Decoded {
  char32_t code;
  std::size_t size;
};

Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead >= 0xC2 && lead < 0xE0 && tail(1)) {
    return {((lead & 0x1F) << 6) | (byte(1) & 0x3F), 2};
  }
  if ((lead & 0xF0) == 0xE0 && tail(1) && tail(2)) {
    const char32_t code = ((lead & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code >= 0x800 && !surrogate) return {code, 3};
  }
  if ((lead & 0xF8) == 0xF0 && tail(1) && tail(2) && tail(3)) {
    const char32_t code = ((lead & 0x07) << 18) | ((byte(1) & 0x3F) << 12) |
                          ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
    if (code >= 0x10000 && code < 0x110000) return {code, 4};
  }
  return {replacement, 1};
}

template <class Unit>
void each_unit(std::string_view utf8, Unit&& unit) {
  for (std::size_t at = 0; at < utf8.size();) {
    const auto [code, size] = decode(utf8, at);
    at += size;
    if (code < 0x10000) {
      unit(static_cast<char16_t>(code));
    } else {
      unit(static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10)));
      unit(static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF)));
    }
  }
}

}  // namespace

std::u16string to_utf16(std::string_view utf8) {
  std::u16string out;
  out.reserve(utf8.size());
  each_unit(utf8, [&](char16_t unit) { out.push_back(unit); });
  return out;
}

std::int32_t java_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  each_unit(utf8, [&](char16_t unit) { hash = 31 * hash + unit; });
  return static_cast<std::int32_t>(hash);
}

// The highest bits of a Fibonacci hash, as many as the table has.
std::uint64_t timeline_slot(std::string_view key, std::size_t entries) {
  constexpr std::uint64_t fibonacci = 11400714819323198485U;  // 2^64 / golden ratio, odd
  int bits = 1;
  while (3 * entries > (std::uint64_t{4} << bits)) ++bits;  // load factor 0.75
  const auto hash = static_cast<std::uint64_t>(std::int64_t{java_hash(key)});
  return (hash * fibonacci) >> (64 - bits);
}

std::size_t java_length(std::string_view utf8) {
  std::size_t units = 0;
  each_unit(utf8, [&](char16_t) { ++units; });
  return units;
}

}  // namespace muster::protocol
