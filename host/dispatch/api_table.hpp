// Which API goes where, built at start from what the loaded plugins claim. Immutable afterwards;
// [pure] to read.
#pragma once

#include "runtime/space.hpp"

#include <muster/abi/broker.h>

#include <array>
#include <map>
#include <string>

namespace muster::host {

// The broker plugin as the host uses it.
struct Broker {
  std::string name;
  const muster_broker_v1* table = nullptr;
  void* self = nullptr;
};

enum class BuiltIn : std::uint8_t { none, api_versions, find_coordinator, sasl };

struct ApiEntry {
  muster_api_claim claim{};
  BuiltIn built_in = BuiltIn::none;
  Space* space = nullptr;  // of the protocols that claim it
  const ApiClaimants* protocols = nullptr;
  const muster_api_claim* broker = nullptr;

  // Who routes, joins and refuses: a protocol, or the broker.
  bool broker_creates() const {
    return broker != nullptr &&
           (protocols == nullptr || (broker->creates != 0 && !protocols->creator_declared));
  }
};

class ApiTable {
 public:
  // Empty: taken. Otherwise one sentence why not.
  [[nodiscard]] std::string add_built_in(BuiltIn built_in, const muster_api_claim& claim);
  [[nodiscard]] std::string add_space(Space& space);
  [[nodiscard]] std::string add_broker(const Broker& broker);

  const ApiEntry* find(std::int16_t key) const {
    if (key >= 0 && static_cast<std::size_t>(key) < near_.size()) {
      return near_[static_cast<std::size_t>(key)];
    }
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  const std::map<std::int16_t, ApiEntry>& entries() const { return entries_; }

 private:
  ApiEntry& entry(std::int16_t key);

  std::map<std::int16_t, ApiEntry> entries_;
  std::array<const ApiEntry*, 128> near_{};  // Kafka's keys; private ones are far
};

}  // namespace muster::host
