// The group's target assignment: which assignor makes it, when one is due, and taking a result in.
// Reads only; what changes goes into the draft. [shard]
#pragma once

#include <muster/sdk/shard.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "draft.hpp"

namespace muster::consumer {

// The assignor that most members prefer, once this member has changed; of equals the one that is
// configured first. Names that are not configured (any more) do not vote; without a vote the first
// is taken. Index into the configured ones.
std::size_t preferred_assignor(const Settings& settings, const Group& group);
std::size_t preferred_assignor_after(const Settings& settings, const Group& group,
                                     const MemberMetadata& before, const MemberMetadata& after);

// Asks for an assignment if one is due: the group's epoch is ahead of its assignment's and the
// assignment interval has passed. True if this heartbeat is the one that asked.
bool ask_for_assignment(Draft& draft, std::size_t assignor);

// Whether the run was asked for by a group of the same name that was deleted since: whoever leaves
// bumps the epoch, so at the group's own epoch nobody can be missing but who was replaced.
bool is_of_former_group(const Group& group, std::int32_t epoch,
                        const sdk::PartitionAssignment& result);

// New targets by member id; members that keep theirs are not in it. Views into the result's input
// and the group.
using NewTargets = std::unordered_map<std::string_view, Partitions>;

// Writes the targets that differ and the new assignment epoch. Members that have left are skipped;
// a static member that was replaced meanwhile passes its part on.
NewTargets apply_assignment(Draft& draft, std::int32_t epoch,
                            const sdk::PartitionAssignment& result);

}  // namespace muster::consumer
