// The keys and values of the durable log. Keys of a partition begin with its topic's id and its
// number and sort by what follows, big-endian. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <muster/protocol/types.hpp>

#include "log/log.hpp"

namespace muster::embedded {

// Of one partition.
class PartitionKeys {
 public:
  PartitionKeys(const protocol::Uuid& topic, std::int32_t partition);

  // Where the log starts and ends.
  std::string bounds() const { return 's' + prefix_; }
  // In which run of the machine it was last written.
  std::string boot() const { return 'v' + prefix_; }

 private:
  std::string prefix_;
};

// All that belongs to a topic: [first, last).
struct KeyRange {
  std::string first;
  std::string last;
};
KeyRange keys_of(const protocol::Uuid& topic);

std::string to_value(const LogOffsets& bounds);
std::optional<LogOffsets> bounds_value(std::string_view value);
std::string to_value(std::int64_t number);
std::optional<std::int64_t> number_value(std::string_view value);

}  // namespace muster::embedded
