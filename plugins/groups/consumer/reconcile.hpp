// The next step of a member from what it holds towards what it is meant to hold. Pure functions,
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "member.hpp"
#include "ownership.hpp"

namespace muster::consumer {

struct ReconcileInput {
  const CurrentAssignment& current;
  std::int32_t target_epoch;
  const Partitions& target;
  const std::vector<TopicId>& subscribed;  // existing topics, ascending
  bool subscription_changed;
  const Partitions* owned;  // what the member says it owns; NULL: it did not say
  const Ownership& owners;
};

// Nothing: the member must be fenced, since its state comes from a newer version and cannot be
// continued while it may still own partitions.
std::optional<CurrentAssignment> reconcile(const ReconcileInput& input);

}  // namespace muster::consumer
