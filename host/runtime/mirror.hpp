// What a shard commits, shown as records of the internal topics (option internal.topics.mirror).
// Nothing is ever read back from there.
#pragma once

#include "runtime/bytes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace muster::host {

struct MirrorRecord {
  std::string topic;
  std::string partition_key;  // chooses the partition, unless `partition` is set
  std::optional<std::uint32_t> partition;
  Buffer key;
  std::optional<Buffer> value;  // none: a tombstone
};

// [any] One shard's records come in its order, after they are durable.
class Mirror {
 public:
  virtual ~Mirror() = default;
  virtual void append(std::uint32_t shard, std::vector<MirrorRecord> records) = 0;
};

}  // namespace muster::host
