// An assignor behind its C table, linked into the test or loaded from its library. Tests and
// benches only.
#pragma once

#include <muster/abi/partition_assignor.h>
#include <muster/abi/plugin.h>

#include <map>
#include <memory>
#include <string>

#include "group.hpp"

namespace muster::assignors {

enum class Linked { statically, as_library };

// Options by name, as they are written.
using Settings = std::map<std::string, std::string>;
inline const Settings by_racks = {{"group.consumer.assignor.rack.aware", "true"}};

// What the library of "range" or "uniform" says it is; it stays open.
const muster_plugin& plugin_of(const std::string& name);

class Assignor {
 public:
  // "range" or "uniform".
  Assignor(const std::string& name, Linked linked, const Settings& settings = {});

  // What the sink got; throws if the slot failed, named a partition twice or one that is not there.
  Owners assign(const Group& group) const;
  // Only the call, for benches: `out` is the caller's.
  muster_code assign(const muster_partition_assignor_view& view,
                     const muster_partition_sink& out) const;

 private:
  Assignor(const muster_export& exported, const Settings& settings);

  const muster_partition_assignor_v1* table_;
  std::shared_ptr<const muster_options> options_;
  std::shared_ptr<void> instance_;
};

}  // namespace muster::assignors
