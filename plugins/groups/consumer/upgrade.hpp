// A classic group that becomes a consumer group because a member of the new protocol joins it.
// Reads only. [shard]
#pragma once

#include <expected>
#include <memory>
#include <string_view>

#include "context.hpp"
#include "refusal.hpp"

namespace muster::consumer {

// The group as it would be, with nobody but its classic members; not part of any state.
struct Upgraded {
  explicit Upgraded(std::string_view id) : group(id, &index) {}

  GroupsByTopic index;
  Group group;
};

// Kafka's checks in Kafka's order. Calls that wait in the classic group are told to rejoin once its
// owner was asked for it, also if the group then turns out not to be convertible.
std::expected<std::unique_ptr<Upgraded>, Refusal> upgrade(const Context& context,
                                                          std::string_view group_id,
                                                          const sdk::GroupOwner& owner,
                                                          const sdk::Listed& listed);

}  // namespace muster::consumer
