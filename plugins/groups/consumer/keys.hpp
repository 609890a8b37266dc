// The keys of timers and offloads: readable, and unambiguous for any group and member id. Values,
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::consumer {

// session: not heard of. rebalance: has not revoked. Of classic members only: join, was told to
// rejoin and has not; sync, has joined and not fetched its assignment.
enum class Timer { session, rebalance, join, sync };

struct TimerKey {
  Timer timer;
  std::string_view group;
  std::string_view member;
};

// "session 8 my-group member": the number is the size of the group id.
void append_key(std::string& out, const TimerKey& key);
std::optional<TimerKey> parse_timer_key(std::string_view key);

enum class Offload { assign, regex };

struct OffloadKey {
  Offload offload;
  std::string_view group;
};

// "assign my-group". Two keys a group, so that both kinds of work may run at once.
std::string to_text(const OffloadKey& key);
std::optional<OffloadKey> parse_offload_key(std::string_view key);

inline constexpr std::string_view regex_work = "work/regex";

}  // namespace muster::consumer
