// The keys of timers: readable, and unambiguous for any group and member id. Values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::classic {

enum class Timer : std::int8_t {
  session,  // of a member, or of an id that was given out
  join,     // the join phase ends
  sync,     // who has not synced by then is removed
};

struct TimerKey {
  Timer timer{};
  std::string_view group;
  std::string_view member;  // of `session` only
};

// "session 8 my-group member": the number is the size of the group id.
void append_key(std::string& out, const TimerKey& key);
std::optional<TimerKey> parse_timer_key(std::string_view key);

}  // namespace muster::classic
