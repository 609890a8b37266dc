// Members that go: for good, for a while, or because they were not heard of. Reads only; what
// changes goes into the draft. [shard]
#pragma once

#include <string_view>

#include "draft.hpp"

namespace muster::consumer {

// Removes a member and bumps the group epoch. An empty group's assignment is up to date at once,
// and the next one may be made without waiting.
void remove_member(Draft& draft, std::string_view member_id);

// A static member that will be back within its session: it keeps its partitions, no bump.
void leave_for_a_while(Draft& draft, std::string_view member_id);

}  // namespace muster::consumer
