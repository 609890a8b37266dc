// One classic group in memory: what its record says, and what notes have made of it since. Owner:
// the shard's state; changed by replay only. [shard]
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "roster.hpp"

namespace muster::classic {

// Kafka's Dead is a group that is not here.
enum class GroupState : std::int8_t {
  empty = 0,
  preparing_rebalance = 1,
  completing_rebalance = 2,
  stable = 3,
};

std::string_view to_text(GroupState state);

// The protocol type of Kafka's consumers, whose metadata the coordinator can read.
inline constexpr std::string_view consumer_type = "consumer";

// The first join phase of an empty group waits, so that members who start together share it.
struct InitialDelay {
  std::int32_t delay_ms = 0;      // of the timer that runs
  std::int32_t remaining_ms = 0;  // by which newcomers may still extend it
  bool extended = false;          // somebody has joined since it was set

  friend bool operator==(const InitialDelay&, const InitialDelay&) = default;
};

struct Header {
  GroupState state = GroupState::empty;
  bool from_empty = false;  // the join phase began in an empty group
  std::optional<InitialDelay> initial_delay;
  std::int32_t generation = 0;
  std::optional<std::string> protocol_type;
  std::optional<std::string> protocol_name;
  std::optional<std::string> leader;
  std::int64_t state_since_ms = -1;  // -1: unknown

  [[nodiscard]] bool is(GroupState other) const { return state == other; }
  [[nodiscard]] bool is_leader(std::string_view member) const { return leader == member; }
  // The record of a group that was made of another's: its assignments were never synced.
  [[nodiscard]] bool wants_rebalance() const {
    return is(GroupState::stable) && state_since_ms < 0;
  }
  [[nodiscard]] bool is_consumers() const { return protocol_type == consumer_type; }

  friend bool operator==(const Header&, const Header&) = default;
};

// Topics of all members; nothing: they cannot be told.
using Subscription = std::optional<std::set<std::string, std::less<>>>;

struct Group {
  Header header;
  Roster roster;
  // Ids that were given out and have not joined yet.
  std::set<std::string, std::less<>> pending;
  std::uint64_t stored = 0;  // a hash of the newest record

  [[nodiscard]] const Subscription& subscription() const;
  // What only replay calls, after each change.
  void changed() { subscription_.reset(); }

 private:
  // Worked out when it is first asked for; no state.
  mutable std::optional<Subscription> subscription_;
};

}  // namespace muster::classic
