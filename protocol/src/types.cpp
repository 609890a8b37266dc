// Uuid's text form. Owner: protocol.
#include <muster/protocol/types.hpp>

namespace muster::protocol {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string Uuid::to_string() const {
  std::string text;
  text.reserve(22);
  std::uint32_t bits = 0;
  int held = 0;
  for (const std::uint8_t byte : bytes) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 6;) {
      held -= 6;
      text.push_back(alphabet[bits >> held & 63U]);
    }
  }
  text.push_back(alphabet[bits << (6 - held) & 63U]);
  return text;
}

std::optional<Uuid> Uuid::from_string(std::string_view text) {
  if (text.size() != 22) return std::nullopt;
  Uuid id;
  std::size_t at = 0;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char letter : text) {
    const std::size_t digit = alphabet.find(letter);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held >= 8 && at < id.bytes.size()) {
      held -= 8;
      id.bytes[at++] = static_cast<std::uint8_t>(bits >> held);
    }
  }
  return id;
}

}  // namespace muster::protocol
