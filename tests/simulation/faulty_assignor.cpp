// The lies an assignor may tell; the host finds each of them out.
#include "faulty_assignor.hpp"

#include <stdexcept>

namespace muster::simulation {

FaultyAssignor::FaultyAssignor(const muster_partition_assignor_v1& real, void* real_self)
    : real_(real), real_self_(real_self) {
  table_.struct_size = sizeof table_;
  table_.assign = [](void* self, const muster_partition_assignor_view* view,
                     const muster_partition_sink* out, const muster_error_sink* error) {
    return static_cast<FaultyAssignor*>(self)->assign(*view, *out, error);
  };
}

muster_code FaultyAssignor::assign(const muster_partition_assignor_view& view,
                                   const muster_partition_sink& out,
                                   const muster_error_sink* error) const {
  const std::uint32_t partitions = view.topic_first[view.topic_count];
  const std::uint32_t nobody = view.member_count;
  const std::uint32_t first = 0;
  switch (partitions == 0 ? AssignorFault::none : next_fault()) {
    case AssignorFault::error: {
      constexpr muster_str why{"it did not feel like it", 23};
      error->error(error->self, why);
      return MUSTER_INTERNAL;
    }
    case AssignorFault::exception: throw std::runtime_error("a bug in an assignor");
    case AssignorFault::nobody: return MUSTER_OK;
    case AssignorFault::stranger:
      out.assign(out.self, 0, 1, &nobody);
      return MUSTER_OK;
    case AssignorFault::twice:
      out.assign(out.self, 0, 1, &first);
      break;
    case AssignorFault::beyond:
      out.assign(out.self, partitions, 1, &first);
      break;
    case AssignorFault::none: break;
  }
  return real_.assign(real_self_, &view, &out, error);
}

}  // namespace muster::simulation
