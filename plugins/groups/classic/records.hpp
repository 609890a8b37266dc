// The GroupMetadata record, in Kafka's format. Free of state.
#pragma once

#include <muster/protocol/records/group_metadata_value.hpp>
#include <muster/protocol/types.hpp>

#include <cstdint>
#include <string_view>

#include "group.hpp"
#include "roster.hpp"

namespace muster::classic {

protocol::Buffer record_key(std::string_view group);

// What is written of a group in this state; its members are views into `roster`.
protocol::Buffer encode_record(const protocol::GroupMetadataValue& value);

protocol::GroupMetadataValue value_of(const Header& header, const RosterDraft& roster);
protocol::GroupMetadataValue value_of(const Header& header, const Roster& roster);

// One that has just been named.
protocol::Buffer record_of_new_group(std::int64_t now_ms);

// The group's durable part as if loaded, on top of what memory knows more of its members.
void apply(const protocol::GroupMetadataValue& value, Group& group);

std::uint64_t hash_of(protocol::Bytes value);

}  // namespace muster::classic
