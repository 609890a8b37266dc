// A partition assignor's view, copied out of the shard, and the check of what came back. Worker
// threads read it.
#pragma once

#include <memory>
#include <optional>

#include <muster/abi/partition_assignor.h>
#include "runtime/bytes.hpp"

namespace muster::host {

class AssignorInput {
 public:
  explicit AssignorInput(const muster_partition_assignor_view& given);
  AssignorInput(const AssignorInput&) = delete;
  AssignorInput& operator=(const AssignorInput&) = delete;

  const muster_partition_assignor_view& view() const { return view_; }
  std::uint32_t partitions() const { return view_.topic_first[view_.topic_count]; }

 private:
  template <class T>
  const T* copy(const T* source, std::size_t count);
  const muster_str* copy_strings(const muster_str* source, std::size_t count);
  void* place(const void* source, std::size_t bytes);

  std::unique_ptr<std::uint8_t[]> memory_;
  std::size_t used_ = 0;
  muster_partition_assignor_view view_;
};

// Empty: every partition with a subscriber has one owner, who subscribes to its topic. Otherwise
// one sentence.
std::optional<std::string> check_assignment(const muster_partition_assignor_view& view,
                                            const std::vector<std::uint32_t>& owner);

}  // namespace muster::host
