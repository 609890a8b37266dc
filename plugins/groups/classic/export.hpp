// A group as another protocol takes it over: its record as if written now, and what no record of
// this protocol tells of its members. [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include <string_view>

#include "group.hpp"

namespace muster::classic {

void export_group(std::string_view id, const Group& group, sdk::RecordSink& out);

}  // namespace muster::classic
