#include "keys.hpp"

#include <bit>
#include <concepts>

namespace muster::rocks_store {
namespace {

template <std::unsigned_integral Number>
std::array<char, sizeof(Number)> big_endian(Number number) {
  if constexpr (std::endian::native == std::endian::little) number = std::byteswap(number);
  return std::bit_cast<std::array<char, sizeof(Number)>>(number);
}

template <std::unsigned_integral Number>
void append(std::string& out, Number number) {
  const auto bytes = big_endian(number);
  out.append(bytes.data(), bytes.size());
}

template <std::unsigned_integral Number>
Number read(std::string_view bytes) {
  Number number = 0;
  for (const char byte : bytes.substr(0, sizeof(Number))) {
    number = static_cast<Number>((number << 8) | static_cast<unsigned char>(byte));
  }
  return number;
}

}  // namespace

std::string format_value() {
  std::string out;
  append(out, format_version);
  return out;
}

std::optional<std::uint32_t> read_format(std::string_view value) {
  if (value.size() != sizeof(std::uint32_t)) return std::nullopt;
  return read<std::uint32_t>(value);
}

std::string space_key(std::string_view space) { return std::string("s").append(space); }

std::string space_value(const SpaceInfo& info) {
  std::string out;
  append(out, info.shards);
  append(out, info.epoch);
  return out;
}

std::optional<SpaceInfo> read_space(std::string_view value) {
  if (value.size() != sizeof(std::uint32_t) + sizeof(std::uint64_t)) return std::nullopt;
  return SpaceInfo{read<std::uint32_t>(value),
                   read<std::uint64_t>(value.substr(sizeof(std::uint32_t)))};
}

std::string shard_prefix(std::string_view space, std::uint32_t shard) {
  std::string out("r");
  out.append(space);
  out.push_back('\0');
  append(out, shard);
  return out;
}

std::string shard_end(std::string_view space, std::uint32_t shard) {
  return shard_prefix(space, shard + 1);
}

std::array<char, sequence_size> sequence_text(std::uint64_t sequence) {
  return big_endian(sequence);
}

std::optional<std::uint64_t> read_sequence(std::string_view value) {
  if (value.size() < sequence_size) return std::nullopt;
  return read<std::uint64_t>(value);
}

}  // namespace muster::rocks_store
