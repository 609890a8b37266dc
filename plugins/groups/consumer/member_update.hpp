// What a member's heartbeat or JoinGroup does to it and to the group: Kafka's steps in Kafka's
// order. Reads only; what changes goes into the draft. [shard]
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "draft.hpp"
#include "refusal.hpp"
#include "regex.hpp"
#include "subject.hpp"

namespace muster::consumer {

struct MemberUpdate {
  const Subject& subject;
  const MemberMetadata& after;
  RegexCaller caller;
};

struct Updated {
  bool subscription_changed = false;
  std::size_t assignor = 0;  // that the group prefers from now on
};

// The first steps: member, regular expressions, group epoch.
std::expected<Updated, Refusal> update_member(Draft& draft, const MemberUpdate& update);

struct MemberMove {
  const Subject& subject;
  const MemberMetadata& after;
  const Updated& updated;
  std::uint64_t token = 0;   // of the request
  WaitingHeartbeat waiting;  // as far as the request says it
};

// The last steps: target and reconciliation. Nothing: the request waits for an assignor.
std::expected<std::optional<CurrentAssignment>, Refusal> move_member(Draft& draft, MemberMove move);

}  // namespace muster::consumer
