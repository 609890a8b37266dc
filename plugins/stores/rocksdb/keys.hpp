// Keys and values of the store's database. Pure.
//
//   "f"                                  format version, uint32
//   "s" space                            shard count, uint32, and epoch, uint64
//   "r" space 0x00 shard, uint32, key    sequence, uint64, and the record's value
// Numbers are big-endian, so that a shard's records lie together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::rocks_store {

inline constexpr std::uint32_t format_version = 1;
inline constexpr std::string_view format_key = "f";

struct SpaceInfo {
  std::uint32_t shards = 0;
  std::uint64_t epoch = 0;
};

[[nodiscard]] std::string format_value();
[[nodiscard]] std::optional<std::uint32_t> read_format(std::string_view value);

[[nodiscard]] std::string space_key(std::string_view space);
[[nodiscard]] std::string space_value(const SpaceInfo& info);
[[nodiscard]] std::optional<SpaceInfo> read_space(std::string_view value);

// What every key of the shard begins with, and the first key behind them.
[[nodiscard]] std::string shard_prefix(std::string_view space, std::uint32_t shard);
[[nodiscard]] std::string shard_end(std::string_view space, std::uint32_t shard);

inline constexpr std::size_t sequence_size = sizeof(std::uint64_t);
[[nodiscard]] std::array<char, sequence_size> sequence_text(std::uint64_t sequence);
// nullopt: too short to be a record.
[[nodiscard]] std::optional<std::uint64_t> read_sequence(std::string_view value);

}  // namespace muster::rocks_store
