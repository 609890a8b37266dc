// The keys of timers and offloads. Values, any thread.
#include "keys.hpp"

#include <charconv>
#include <iterator>

namespace muster::consumer {
namespace {

constexpr std::string_view timer_prefixes[] = {"session ", "rebalance ", "join ", "sync "};
constexpr std::string_view assign_prefix = "assign ";
constexpr std::string_view regex_prefix = "regex ";

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

void append_key(std::string& out, const TimerKey& key) {
  out += timer_prefixes[static_cast<std::size_t>(key.timer)];
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, key.group.size()).ptr;
  out.append(digits, end);
  out += ' ';
  out += key.group;
  out += ' ';
  out += key.member;
}

std::optional<TimerKey> parse_timer_key(std::string_view key) {
  std::size_t timer = 0;
  while (timer < std::size(timer_prefixes) && !take(key, timer_prefixes[timer])) ++timer;
  if (timer == std::size(timer_prefixes)) return std::nullopt;
  TimerKey out{static_cast<Timer>(timer), {}, {}};
  std::size_t size = 0;
  const auto parsed = std::from_chars(key.data(), key.data() + key.size(), size);
  if (parsed.ec != std::errc{}) return std::nullopt;
  key.remove_prefix(static_cast<std::size_t>(parsed.ptr - key.data()));
  if (!take(key, " ") || size >= key.size() || key[size] != ' ') return std::nullopt;
  out.group = key.substr(0, size);
  out.member = key.substr(size + 1);
  return out;
}

std::string to_text(const OffloadKey& key) {
  std::string out(key.offload == Offload::assign ? assign_prefix : regex_prefix);
  out += key.group;
  return out;
}

std::optional<OffloadKey> parse_offload_key(std::string_view key) {
  if (take(key, assign_prefix)) return OffloadKey{Offload::assign, key};
  if (take(key, regex_prefix)) return OffloadKey{Offload::regex, key};
  return std::nullopt;
}

}  // namespace muster::consumer
