// The record of one group's overrides. Owner: host/dispatch. Pure.
//
// Key: int16 0x3001, group id as a Kafka string. Value: int16 version 0, int32 count, then name and
// value as Kafka strings, names ascending. A group without overrides has a tombstone.
#pragma once

#include "config/options.hpp"
#include "runtime/bytes.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace muster::host {

inline constexpr std::int16_t group_config_type = 0x3001;
inline constexpr std::int16_t last_config_type = 0x300f;

[[nodiscard]] Buffer group_config_key(std::string_view group);
[[nodiscard]] Buffer group_config_value(const Overrides& overrides);

// nullopt: not ours, or of a version that is not known here.
[[nodiscard]] std::optional<std::string> read_group_config_key(Bytes key);
[[nodiscard]] std::optional<Overrides> read_group_config_value(Bytes value);

}  // namespace muster::host
