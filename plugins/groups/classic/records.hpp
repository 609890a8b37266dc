// The GroupMetadata record, in Kafka's format. Free of state.
#pragma once

#include <muster/protocol/records/group_metadata_value.hpp>
#include <muster/protocol/types.hpp>

#include <cstdint>
#include <map>
#include <string_view>

#include "group.hpp"
#include "roster.hpp"

namespace muster::classic {

protocol::Buffer record_key(std::string_view group);

protocol::Buffer encode_record(const protocol::GroupMetadataValue& value);

// What each member is to have; who is not named is to have nothing.
using Assignments = std::map<std::string_view, protocol::Bytes>;
protocol::Bytes share_of(const Assignments& assignments, std::string_view member_id);

// What is written of a group in this state; views into what it is made from. No assignments: the
// members' own.
protocol::GroupMetadataValue value_of(const Header& header, const RosterDraft& roster,
                                      const Assignments* assignments = nullptr);
protocol::GroupMetadataValue value_of(const Header& header, const Roster& roster);

// One that has just been named.
protocol::Buffer record_of_new_group(std::int64_t now_ms);

// The group's durable part as if loaded, on top of what memory knows more of its members.
void apply(const protocol::GroupMetadataValue& value, Group& group);

std::uint64_t hash_of(protocol::Bytes value);

}  // namespace muster::classic
