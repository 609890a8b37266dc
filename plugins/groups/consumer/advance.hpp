// The last step of a heartbeat: the member moves towards its target and is answered. Taken at once,
// or later if the heartbeat waited for an assignor. Reads only; what changes goes into the draft.
// [shard]
#pragma once

#include <optional>
#include <string_view>

#include "draft.hpp"
#include "target.hpp"

namespace muster::consumer {

struct Advance {
  std::string_view member_id;
  const MemberMetadata& metadata;
  const CurrentAssignment& current;
  std::int32_t target_epoch;
  const Partitions& target;
  bool subscription_changed;
  const Partitions* owned;  // NULL: not given
};

inline constexpr std::string_view unknown_state_message =
    "The consumer group member is in a unknown state. The member must abandon all its partitions "
    "and rejoin.";

// What the member holds from now on; nothing: it must be fenced, with the message above.
std::optional<CurrentAssignment> advance(Draft& draft, const Advance& step);

// Answers a heartbeat that waited. With the new targets of the assignment it waited for, or NULL:
// with the old one.
struct NewAssignment {
  std::int32_t epoch;
  const NewTargets& targets;
};
void answer_waiting(Draft& draft, std::uint64_t token, const NewAssignment* assignment);

}  // namespace muster::consumer
