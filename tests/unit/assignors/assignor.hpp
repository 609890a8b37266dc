// An assignor behind its C table, linked into the test or loaded from its library. Tests and
// benches only.
#pragma once

#include <muster/abi/partition_assignor.h>

#include <memory>
#include <string>

#include "group.hpp"

namespace muster::assignors {

enum class Linked { statically, as_library };

class Assignor {
 public:
  // "range" or "uniform".
  Assignor(const std::string& name, Linked linked);

  // What the sink got; throws if the slot failed, named a partition twice or one that is not there.
  Owners assign(const Group& group) const;
  // Only the call, for benches: `out` is the caller's.
  muster_code assign(const muster_partition_assignor_view& view,
                     const muster_partition_sink& out) const;

 private:
  const muster_partition_assignor_v1* table_;
  std::shared_ptr<void> instance_;
};

}  // namespace muster::assignors
