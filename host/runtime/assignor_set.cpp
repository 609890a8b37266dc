#include "runtime/assignor_set.hpp"

namespace muster::host {
namespace {

// DEFINITION/EXPORT is known by that, and by EXPORT: where that is not unique, a configuration that
// names it is refused.
bool is_named(std::string_view assignor, std::string_view name) {
  return assignor == name || assignor.substr(assignor.find('/') + 1) == name;
}

}  // namespace

void AssignorSet::add(std::string interface_id, std::string name, const void* table, void* self) {
  Assignor& assignor = assignors_.emplace_back();
  assignor.interface_id = std::move(interface_id);
  assignor.name = std::move(name);
  assignor.table = table;
  assignor.self = self;
}

Assignor* AssignorSet::find(std::string_view interface_id, std::string_view name) {
  Assignor* stand_in = nullptr;
  bool known = false;
  for (Assignor& assignor : assignors_) {
    if (assignor.interface_id != interface_id) continue;
    const bool healthy = !assignor.quarantined.load(std::memory_order_relaxed);
    if (is_named(assignor.name, name)) {
      if (healthy) return &assignor;
      known = true;
    } else if (healthy && stand_in == nullptr) {
      stand_in = &assignor;
    }
  }
  return known ? stand_in : nullptr;
}

bool AssignorSet::report(Assignor& assignor, bool good) {
  if (good) {
    assignor.faults.store(0, std::memory_order_relaxed);
    return false;
  }
  if (assignor.faults.fetch_add(1, std::memory_order_relaxed) + 1 < faults_max) return false;
  return !assignor.quarantined.exchange(true);
}

}  // namespace muster::host
