// What Kafka computes over Java strings: hashes, lengths and orders count UTF-16 units, while the
// wire carries UTF-8. Owner: protocol. Free of state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace muster::protocol {

// Bytes that are no UTF-8 become the replacement character, as Java decodes them.
std::u16string to_utf16(std::string_view utf8);

// String.hashCode.
std::int32_t java_hash(std::string_view utf8);

// Where a key lies in one of Kafka's hash tables that has grown to this many entries. Kafka lists
// what it keeps in that order, and its own tests know it.
std::uint64_t timeline_slot(std::string_view key, std::size_t entries);

// String.length.
std::size_t java_length(std::string_view utf8);

}  // namespace muster::protocol
