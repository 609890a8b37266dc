// Members that go: for good, for a while, or because they were not heard of. Reads only; what
// changes goes into the draft. [shard]
#pragma once

#include <string_view>

#include "downgrade.hpp"
#include "draft.hpp"

namespace muster::consumer {

// Removes members and bumps the group epoch. An empty group's assignment is up to date at once,
// and the next one may be made without waiting. If only classic members stay behind, the group
// becomes a classic one where that is allowed.
void remove_members(Draft& draft, const LeavingMembers& leaving);

// A static member that will be back within its session: it keeps its partitions, no bump.
void leave_for_a_while(Draft& draft, std::string_view member_id);

}  // namespace muster::consumer
