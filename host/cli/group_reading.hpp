// Asks a host about its groups. Members are read as each type of group tells them; a type that is
// not known here is told as far as ListGroups and OffsetFetch go. Owner: host/cli.
#pragma once

#include "cli/group_commands.hpp"
#include "cli/group_report.hpp"

namespace muster::host {

[[nodiscard]] Outcome<std::vector<GroupRow>> read_groups(Client& client, const GroupFilter& filter);
// Otherwise "there is no group ...", with the nearest name.
[[nodiscard]] Outcome<GroupRow> find_group(Client& client, const std::string& id);

// What they cannot tell they say in the description.
void read_members(Client& client, GroupDescription& description);
void read_offsets(Client& client, GroupDescription& description);

}  // namespace muster::host
