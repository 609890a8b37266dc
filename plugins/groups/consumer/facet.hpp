// What other protocols ask about a consumer group. Reads only. [shard]
#pragma once

#include <muster/sdk/facet.hpp>

#include <cstdint>
#include <span>

#include "context.hpp"

namespace muster::consumer {

void check_commit(const Context& context, const sdk::Commit& commit,
                  std::span<std::int16_t> errors);
std::int16_t check_fetch(const Group& group, const sdk::Fetcher& who);

}  // namespace muster::consumer
