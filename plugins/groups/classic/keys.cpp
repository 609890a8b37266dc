#include "keys.hpp"

#include <array>
#include <charconv>

namespace muster::classic {
namespace {

constexpr std::array<std::string_view, 3> prefixes = {"session ", "join ", "sync "};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

void append_key(std::string& out, const TimerKey& key) {
  out += prefixes[static_cast<std::size_t>(key.timer)];
  if (key.timer == Timer::session) {
    std::array<char, 24> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), key.group.size()).ptr;
    out.append(digits.data(), end);
    out += ' ';
  }
  out += key.group;
  if (key.timer != Timer::session) return;
  out += ' ';
  out += key.member;
}

std::optional<TimerKey> parse_timer_key(std::string_view key) {
  if (take(key, prefixes[1])) return TimerKey{Timer::join, key, {}};
  if (take(key, prefixes[2])) return TimerKey{Timer::sync, key, {}};
  if (!take(key, prefixes[0])) return std::nullopt;
  std::size_t size = 0;
  const auto parsed = std::from_chars(key.data(), key.data() + key.size(), size);
  if (parsed.ec != std::errc{}) return std::nullopt;
  key.remove_prefix(static_cast<std::size_t>(parsed.ptr - key.data()));
  if (!take(key, " ") || size >= key.size() || key[size] != ' ') return std::nullopt;
  return TimerKey{Timer::session, key.substr(0, size), key.substr(size + 1)};
}

}  // namespace muster::classic
