// What other plugins ask of a classic group. Reads only. [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include "group.hpp"

namespace muster::classic {

// -> Kafka error. The session of a member that may commit is to be renewed if `renews` says so.
std::int16_t check_commit(const Group& group, const sdk::Commit& commit);
bool renews_session(const Group& group);

bool subscribes(const Group& group, std::string_view topic);
sdk::Expiry expires(const Group& group);

}  // namespace muster::classic
