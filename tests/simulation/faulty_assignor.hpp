// A real assignor behind a door that may fail, throw or lie. Tests only; one thread.
#pragma once

#include <muster/abi/partition_assignor.h>

#include <functional>

namespace muster::simulation {

enum class AssignorFault { none, error, exception, nobody, stranger, twice, beyond };
inline constexpr std::size_t assignor_faults = 7;

class FaultyAssignor {
 public:
  FaultyAssignor(const muster_partition_assignor_v1& real, void* real_self);
  FaultyAssignor(const FaultyAssignor&) = delete;
  FaultyAssignor& operator=(const FaultyAssignor&) = delete;

  const muster_partition_assignor_v1* table() const { return &table_; }

  std::function<AssignorFault()> next_fault = [] { return AssignorFault::none; };

 private:
  muster_code assign(const muster_partition_assignor_view& view, const muster_partition_sink& out,
                     const muster_error_sink* error) const;

  const muster_partition_assignor_v1& real_;
  void* real_self_;
  muster_partition_assignor_v1 table_{};
};

}  // namespace muster::simulation
