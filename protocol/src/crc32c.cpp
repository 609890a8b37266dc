// CRC-32C: three interleaved streams of SSE4.2's instruction where the processor has it, else a
// table. Owner: protocol.
#include <muster/protocol/crc32c.hpp>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace muster::protocol {
namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;

using ByteTable = std::array<std::uint32_t, 256>;

// tables[k][b]: the effect of byte b followed by k zero bytes.
constexpr std::array<ByteTable, 8> make_tables() {
  std::array<ByteTable, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (polynomial & (0U - (crc & 1U)));
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr std::array<ByteTable, 8> tables = make_tables();

std::uint32_t by_table(const std::uint8_t* at, std::size_t size, std::uint32_t crc) {
  for (; size >= 8; size -= 8, at += 8) {
    crc ^= static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
           static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[3]) << 24;
    crc = tables[7][crc & 0xFFU] ^ tables[6][crc >> 8 & 0xFFU] ^ tables[5][crc >> 16 & 0xFFU] ^
          tables[4][crc >> 24] ^ tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
          tables[0][at[7]];
  }
  for (; size > 0; --size, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 0xFFU];
  return crc;
}

#if defined(__x86_64__)

// One stream is bound by the instruction's latency of 3 cycles, hence three of them.
constexpr std::size_t stream_size = 256;

// shift_tables[k][b]: what byte k of a CRC, being b, becomes after stream_size zero bytes.
constexpr std::array<ByteTable, 4> make_shift_tables() {
  std::array<std::uint32_t, 32> bits{};
  for (std::size_t bit = 0; bit < bits.size(); ++bit) {
    std::uint32_t crc = 1U << bit;
    for (std::size_t i = 0; i < stream_size; ++i) crc = (crc >> 8) ^ tables[0][crc & 0xFFU];
    bits[bit] = crc;
  }
  std::array<ByteTable, 4> shift{};
  for (std::size_t k = 0; k < shift.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1U) != 0) shift[k][byte] ^= bits[k * 8 + bit];
      }
    }
  }
  return shift;
}

constexpr std::array<ByteTable, 4> shift_tables = make_shift_tables();

std::uint32_t shifted(std::uint32_t crc) {
  return shift_tables[0][crc & 0xFFU] ^ shift_tables[1][crc >> 8 & 0xFFU] ^
         shift_tables[2][crc >> 16 & 0xFFU] ^ shift_tables[3][crc >> 24];
}

std::uint64_t word_at(const std::uint8_t* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(const std::uint8_t* at,
                                                               std::size_t size,
                                                               std::uint32_t crc) {
  for (; size >= 3 * stream_size; size -= 3 * stream_size, at += 3 * stream_size) {
    std::uint64_t first = crc;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < stream_size; i += 8) {
      first = _mm_crc32_u64(first, word_at(at + i));
      second = _mm_crc32_u64(second, word_at(at + stream_size + i));
      third = _mm_crc32_u64(third, word_at(at + 2 * stream_size + i));
    }
    crc = shifted(static_cast<std::uint32_t>(first)) ^ static_cast<std::uint32_t>(second);
    crc = shifted(crc) ^ static_cast<std::uint32_t>(third);
  }
  std::uint64_t wide = crc;
  for (; size >= 8; size -= 8, at += 8) wide = _mm_crc32_u64(wide, word_at(at));
  crc = static_cast<std::uint32_t>(wide);
  for (; size > 0; --size, ++at) crc = _mm_crc32_u8(crc, *at);
  return crc;
}

#endif

}  // namespace

std::uint32_t crc32c_by_table(Bytes bytes, std::uint32_t seed) {
  return ~by_table(bytes.data(), bytes.size(), ~seed);
}

std::uint32_t crc32c(Bytes bytes, std::uint32_t seed) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ~by_instruction(bytes.data(), bytes.size(), ~seed);
#endif
  return crc32c_by_table(bytes, seed);
}

}  // namespace muster::protocol
