// What one event of a shard wants to happen, collected before any of it does. Reused from event to
// event, so that the steady path allocates nothing. One shard's; filled through the C tables that
// plugins get.
#pragma once

#include <optional>

#include <muster/abi/group_protocol.h>
#include "runtime/answer.hpp"

namespace muster::host {

class Decision {
 public:
  // A piece of the arena: survives its growth, unlike a pointer.
  struct Piece {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  struct Entry {
    std::uint32_t plugin;
    bool note;
    bool tombstone;
    Piece key;
    Piece value;
  };
  struct Completion {
    std::uint32_t plugin;
    std::uint64_t token;
    Piece body;
    bool is_shared;
    SharedParts shared;
  };
  struct Park {
    std::uint32_t plugin;
    std::uint64_t token;
    std::uint32_t deadline_ms;
  };
  struct Timer {
    std::uint32_t plugin;
    Piece key;
    std::uint32_t after_ms;
    bool cancel;
  };
  struct Offload {
    std::uint32_t plugin;
    Piece key;
    std::uint64_t epoch;
    Piece kind;
  };
  struct Call {
    std::uint32_t plugin;
    std::uint64_t token;
    bool as_host;
    std::int16_t api_key;
    std::int16_t version;
    Piece body;
  };
  enum class Reply : std::uint8_t { nothing, body, shared, none, parked, handed_on };

  void clear();
  Piece keep(Bytes bytes);
  Piece keep(std::string_view text);
  Bytes bytes(Piece piece) const { return {arena_.data() + piece.at, piece.size}; }
  std::string_view text(Piece piece) const {
    return {reinterpret_cast<const char*>(arena_.data()) + piece.at, piece.size};
  }

  void add_entry(std::uint32_t plugin, bool note, muster_bytes key, muster_bytes value);
  void respond(Bytes body);
  void respond(SharedParts parts);

  Reply reply = Reply::nothing;
  Piece body;
  SharedParts shared;
  std::vector<Entry> entries;
  std::vector<Completion> completions;
  std::vector<Park> parks;
  std::vector<Timer> timers;
  std::vector<Offload> offloads;
  std::vector<Call> calls;
  std::vector<std::uint64_t> closes;
  std::size_t record_bytes = 0;
  std::uint32_t records = 0;

 private:
  Buffer arena_;
};

// Which plugin of which shard a decision table speaks for.
class DecisionPort {
 public:
  DecisionPort(Decision& decision, std::uint32_t plugin);
  DecisionPort(const DecisionPort&) = delete;
  DecisionPort& operator=(const DecisionPort&) = delete;

  const muster_decision* table() const { return &table_; }
  Decision& decision() { return decision_; }
  std::uint32_t plugin() const { return plugin_; }

 private:
  Decision& decision_;
  std::uint32_t plugin_;
  muster_decision table_{};
};

}  // namespace muster::host
