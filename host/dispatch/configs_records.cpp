// Reading and writing by the primitives of the wire codec.
#include "dispatch/configs_records.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

namespace muster::host {
namespace {

constexpr std::int16_t value_version = 0;
constexpr bool compact = false;

}  // namespace

Buffer group_config_key(std::string_view group) {
  Buffer out;
  {
    protocol::Writer writer(out);
    writer.write_int16(group_config_type);
    writer.write_string(group, compact);
  }
  return out;
}

Buffer group_config_value(const Overrides& overrides) {
  Buffer out;
  {
    protocol::Writer writer(out);
    writer.write_int16(value_version);
    writer.write_int32(static_cast<std::int32_t>(overrides.size()));
    for (const auto& [name, value] : overrides) {
      writer.write_string(name, compact);
      writer.write_string(value, compact);
    }
  }
  return out;
}

std::optional<std::string> read_group_config_key(Bytes key) {
  protocol::Reader reader(key);
  const std::int16_t type = reader.read_int16();
  const std::string_view group = reader.read_string(compact);
  if (!reader.ok() || reader.remaining() != 0 || type != group_config_type) return std::nullopt;
  return std::string(group);
}

std::optional<Overrides> read_group_config_value(Bytes value) {
  protocol::Reader reader(value);
  if (reader.read_int16() != value_version) return std::nullopt;
  Overrides overrides;
  for (std::int32_t left = reader.read_int32(); left > 0 && reader.ok(); --left) {
    const std::string_view name = reader.read_string(compact);
    overrides.emplace(name, reader.read_string(compact));
  }
  if (!reader.ok() || reader.remaining() != 0) return std::nullopt;
  return overrides;
}

}  // namespace muster::host
