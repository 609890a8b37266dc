// The group protocols that live in one shard space, and who owns which record type there. Immutable
// after start.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <muster/abi/group_protocol.h>
#include "runtime/bytes.hpp"

namespace muster::host {

struct Protocol {
  std::string name;  // the definition's name: "consumer"
  const muster_group_protocol_v1* table = nullptr;
  void* self = nullptr;
};

// Who serves one API in a shard space.
struct ApiClaimants {
  muster_api_claim claim{};          // versions and scope, equal for all claimants
  std::size_t creator = 0;           // serves ids that nobody owns; routes, joins, refuses
  bool creator_declared = false;     // false: the first claimant stands in
  std::vector<std::uint8_t> claims;  // by protocol index

  bool claimed_by(int protocol) const {
    return protocol >= 0 && static_cast<std::size_t>(protocol) < claims.size() &&
           claims[static_cast<std::size_t>(protocol)] != 0;
  }
};

class ProtocolSet {
 public:
  // Empty result: taken. Otherwise one sentence why not.
  [[nodiscard]] std::string add(Protocol protocol);

  std::size_t size() const { return protocols_.size(); }
  const Protocol& at(std::size_t index) const { return protocols_[index]; }
  // The protocol that claims a record type; -1: nobody.
  int owner_of_type(std::int16_t type) const;
  // Address-stable after the last add.
  const std::map<std::int16_t, ApiClaimants>& apis() const { return apis_; }

 private:
  std::string add_types(const Protocol& protocol, int index);
  std::string add_apis(const Protocol& protocol, std::size_t index);

  struct Range {
    std::int16_t last;
    int protocol;
  };
  std::vector<Protocol> protocols_;
  std::map<std::int16_t, Range> types_;  // by first type of the range
  std::map<std::int16_t, ApiClaimants> apis_;
};

// Whether the table offers a slot: it is long enough to have it, and it is not NULL.
template <class Table, class Slot>
bool offers(const Table* table, Slot Table::* slot) {
  const auto offset =
      reinterpret_cast<const char*>(&(table->*slot)) - reinterpret_cast<const char*>(table);
  return table->struct_size >= static_cast<std::size_t>(offset) + sizeof(Slot) &&
         table->*slot != nullptr;
}

}  // namespace muster::host
