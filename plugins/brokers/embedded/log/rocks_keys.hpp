// The keys and values of the durable log. Keys of a partition begin with its topic's id and its
// number and sort by what follows, big-endian. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <muster/protocol/types.hpp>

#include "log/log.hpp"

namespace muster::embedded {

// Of one partition in the families index and producers.
class PartitionKeys {
 public:
  PartitionKeys(const protocol::Uuid& topic, std::int32_t partition);

  // Of a batch, by its base offset; of a producer, by its id.
  std::string at(std::int64_t number) const;
  // Before the first and after the last key.
  std::string begin() const { return prefix_; }
  std::string end() const { return prefix_ + std::string(9, '\xff'); }
  // Where the log starts and ends, in the family of metadata.
  std::string bounds() const { return 's' + prefix_; }
  // In which run of the machine it was last written, there as well.
  std::string boot() const { return 'v' + prefix_; }

 private:
  std::string prefix_;
};

// What is after the prefix.
std::int64_t number_in(std::string_view key);

// All that belongs to a topic: [first, last).
struct KeyRange {
  std::string first;
  std::string last;
};
KeyRange keys_of(const protocol::Uuid& topic);

struct IndexValue {
  std::int64_t last_offset = 0;
  std::int64_t max_timestamp = 0;
  std::int64_t size = 0;
  std::int64_t position = 0;  // in bytes, of all that was ever appended
  // Of all that was ever appended up to and with this batch: never falls, so it can be searched.
  std::int64_t greatest_timestamp = 0;
};

std::string to_value(const IndexValue& value);
std::optional<IndexValue> index_value(std::string_view value);
std::string to_value(const ProducerEntry& entry);
std::optional<ProducerEntry> producer_entry(std::int64_t producer_id, std::string_view value);
std::string to_value(const LogOffsets& bounds);
std::optional<LogOffsets> bounds_value(std::string_view value);
std::string to_value(std::int64_t number);
std::optional<std::int64_t> number_value(std::string_view value);

}  // namespace muster::embedded
