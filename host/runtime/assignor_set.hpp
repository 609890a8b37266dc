// The loaded assignors by interface and name, their faults, and what stands in for a quarantined
// one.
//
// Threads: filled at start; `find` and `report` from any thread. The host knows assignor
// interfaces, not protocols.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <muster/abi/partition_assignor.h>

namespace muster::host {

struct Assignor {
  std::string interface_id;
  std::string name;  // DEFINITION/EXPORT, or EXPORT alone
  const void* table = nullptr;
  void* self = nullptr;
  std::atomic<std::uint32_t> faults{0};  // in a row
  std::atomic<bool> quarantined{false};
};

class AssignorSet {
 public:
  // After so many faults in a row the next of its interface stands in.
  static constexpr std::uint32_t faults_max = 8;

  void add(std::string interface_id, std::string name, const void* table, void* self);
  // The assignor to run for a name: itself, or, quarantined, the first healthy one of its
  // interface; NULL: none.
  Assignor* find(std::string_view interface_id, std::string_view name);
  // How a run went. True: this fault put it into quarantine.
  static bool report(Assignor& assignor, bool good);

 private:
  std::deque<Assignor> assignors_;
};

}  // namespace muster::host
