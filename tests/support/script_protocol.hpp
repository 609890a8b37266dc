// A group protocol that does what the request body says, one command a line. It lets a test drive
// every slot of the border without a real protocol in the way.
//
//   record K V | tombstone K | note K V | stray K V | respond TEXT | none | park TOKEN MS
//   | complete TOKEN TEXT | timer K MS | cancel K | offload K EPOCH KIND
//   | call TOKEN API VERSION TEXT | close CONNECTION | fail WHY | throw | nothing | state | owner
//   | delete GROUP | export GROUP | whose GROUP (asked by a plugin that knows only owners' names)
//
// Record keys start with the type given to the constructor, then the group id (the request's key),
// then K; a stray's type is nobody's. A record `own` owns the group, its tombstone disowns it. A
// value "poison" makes replay fail, "throw" makes it throw. An offload that is no work gets an
// input without topics and members. Each slot that is no decide runs the script kept under the
// slot's name (a note or record `on_timer`, `on_task`, ...), with %1 replaced by its argument.
#pragma once

#include "runtime/bytes.hpp"

#include <muster/abi/group_protocol.h>

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace muster::testing {

class ScriptProtocol {
 public:
  struct Setting {
    std::int16_t record_type = 0x4000;
    std::int16_t api_key = 900;
    bool creates = true;
  };
  explicit ScriptProtocol(Setting setting);
  ScriptProtocol(const ScriptProtocol&) = delete;
  ScriptProtocol& operator=(const ScriptProtocol&) = delete;

  muster_group_protocol_v1* table() { return &table_; }
  // The key of a record or note as this protocol writes it.
  std::string key(std::string_view group, std::string_view name) const;

  class Shard;

 private:
  void set_pure_slots();
  void set_shard_slots();
  void set_event_slots();

  std::int16_t record_type_;
  muster_api_claim claim_{};
  muster_type_claim type_{};
  muster_group_facet_v1 facet_{};
  muster_group_protocol_v1 table_{};
};

}  // namespace muster::testing
