// A consumer group that becomes a classic group because its last member of the new protocol goes.
// Reads only; what changes goes into the draft. [shard]
#pragma once

#include <set>
#include <string_view>

#include "draft.hpp"

namespace muster::consumer {

using LeavingMembers = std::set<std::string_view>;

// Whether those who stay are classic members, the policy allows it, and they are not too many.
bool may_downgrade(const Context& context, const Group& group, const LeavingMembers& leaving);
// The same if a classic member takes the place of this static one.
bool may_downgrade_replacing(const Context& context, const Group& group, const Member& replaced);

// Who takes a static member's place, and with it its partitions.
struct Replacement {
  std::string_view id;
  const MemberMetadata& metadata;
  std::string_view replaces;
};

// The group goes, the classic protocol's record of those who stay comes. Members have the
// partitions that they hold, and the new owner starts a rebalance, unless that is what they are to
// have.
void downgrade(Draft& draft, const LeavingMembers& leaving);
void downgrade_replacing(Draft& draft, const Replacement& by, bool rebalance);

}  // namespace muster::consumer
