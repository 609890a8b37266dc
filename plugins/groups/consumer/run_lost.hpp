// When offloaded work whose end was never told is given up. Pure, any thread.
#pragma once

#include <cstdint>

namespace muster::consumer {

// The host tells the end of every run, but a decision about it may have been dropped (a batch too
// large for the store): the group must not wait for ever.
inline constexpr std::int64_t run_lost_after_ms = 60'000;

constexpr bool run_is_lost(std::int64_t asked_at_ms, std::int64_t now_ms) {
  return now_ms - asked_at_ms > run_lost_after_ms;
}

}  // namespace muster::consumer
