// A member of a classic group: what it offers, what it was assigned, and which of its requests
// waits. Owner: the group's roster. [shard]
#pragma once

#include <muster/protocol/types.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::classic {

struct Protocol {
  std::string name;
  protocol::Buffer metadata;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

// In the member's order of preference, each name once.
using Protocols = std::vector<Protocol>;
// Large and constant, so that copies of a member share them.
using SharedProtocols = std::shared_ptr<const Protocols>;
using SharedBytes = std::shared_ptr<const protocol::Buffer>;

// A request that is parked under this token, to be answered in this version.
struct Waiting {
  std::uint64_t token = 0;
  std::int16_t version = 0;

  friend bool operator==(const Waiting&, const Waiting&) = default;
};

struct Member {
  std::string id;
  std::optional<std::string> instance_id;
  std::string client_id;
  std::string client_host;
  std::int32_t rebalance_timeout_ms = 0;
  std::int32_t session_timeout_ms = 0;
  SharedProtocols protocols = std::make_shared<const Protocols>();
  SharedBytes assignment;  // NULL: none yet

  // Noted, gone after a reload.
  bool is_new = false;        // its first join is not answered yet
  bool sync_pending = false;  // it has not sent SyncGroup in this generation
  std::optional<Waiting> join;
  std::optional<Waiting> sync;

  // A member that waits for an answer is alive, except that a newcomer must come back in time.
  [[nodiscard]] bool is_heard() const { return !is_new && (join || sync); }

  // NULL: not supported.
  [[nodiscard]] const protocol::Buffer* metadata(std::string_view protocol) const {
    for (const Protocol& one : *protocols) {
      if (one.name == protocol) return &one.metadata;
    }
    return nullptr;
  }
  [[nodiscard]] protocol::Bytes assigned() const {
    return assignment ? protocol::Bytes(*assignment) : protocol::Bytes();
  }
};

// What happens to all members of a group at once.
enum class Change : std::int8_t {
  joins_answered = 1,    // a generation begins: each must sync
  syncs_answered = 2,    // the leader's assignment went out
  syncs_broken_off = 3,  // a rebalance begins before that
  syncs_forgotten = 4,   // a rebalance begins after that
  released = 5,          // the group leaves this protocol: nobody waits any more
};

void apply(Change change, Member& member);

}  // namespace muster::classic
