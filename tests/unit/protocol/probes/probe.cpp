// The table of probes, and how values of each primitive type are printed.
#include "probe.hpp"

#include <algorithm>
#include <bit>

namespace muster::protocol {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_hex(std::string& out, Bytes bytes) {
  for (const std::uint8_t byte : bytes) {
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15U]);
  }
}

}  // namespace

void describe(std::string& out, bool value) { out += value ? "true" : "false"; }
void describe(std::string& out, std::int64_t value) { out += std::to_string(value); }
void describe(std::string& out, double value) {
  const auto raw = std::bit_cast<std::uint64_t>(value);
  for (int shift = 60; shift >= 0; shift -= 4) out.push_back(digits[raw >> shift & 15U]);
}
void describe(std::string& out, const Uuid& value) { append_hex(out, value.bytes); }
void describe(std::string& out, Bytes value) {
  out.push_back('x');
  append_hex(out, value);
}
void describe(std::string& out, std::string_view value) {
  out.push_back('"');
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < 0x20) {
      out += "\\u00";
      append_hex(out, Bytes(&byte, 1));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

namespace testing {
namespace {

std::vector<Probe>& table() {
  static std::vector<Probe> probes;
  return probes;
}

}  // namespace

bool register_probes(std::initializer_list<Probe> probes) {
  table().insert(table().end(), probes);
  return true;
}

const std::vector<Probe>& all_probes() {
  static const std::vector<Probe> sorted = [] {
    std::vector<Probe> probes = table();
    std::ranges::sort(probes, {}, &Probe::name);
    return probes;
  }();
  return sorted;
}

const Probe* find_probe(std::string_view name) {
  const auto& probes = all_probes();
  const auto at = std::ranges::lower_bound(probes, name, {}, &Probe::name);
  return at != probes.end() && at->name == name ? &*at : nullptr;
}

}  // namespace testing
}  // namespace muster::protocol
