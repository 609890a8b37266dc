// What every decision of a shard reads. Borrowed; good for one slot. [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include "settings.hpp"
#include "state.hpp"

namespace muster::classic {

struct Context {
  const State& state;
  const Settings& settings;
  const sdk::Host& host;
  const sdk::ShardHost& shard;

  [[nodiscard]] std::int64_t now_ms() const { return shard.now_ms(); }
};

}  // namespace muster::classic
