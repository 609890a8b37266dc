// What a decision makes of one group, as far as it got. Nothing leaves before emit, so that whoever
// finds a reason to refuse leaves no trace. Owner: one slot. [shard]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context.hpp"
#include "keys.hpp"
#include "record_batch.hpp"

namespace muster::consumer {

class Draft {
 public:
  Draft(const Context& context, std::string_view group_id, const Group& group);

  const Context& context;
  const std::string group_id;
  const Group& group;  // as replayed
  GroupNotes notes;    // as they will be
  RecordBatch records;

  [[nodiscard]] std::int32_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint64_t metadata_hash() const { return metadata_hash_; }
  // The group epoch moves on: a new assignment is due.
  void bump(std::uint64_t metadata_hash);
  // The hash if the group subscribed to this.
  [[nodiscard]] std::uint64_t hash_after(const SubscriptionChange& change) const;

  void start_timer(Timer timer, std::string_view member, std::uint32_t after_ms);
  void cancel_timer(Timer timer, std::string_view member);
  void start_session(std::string_view member);
  void offload(Offload offload, std::string kind);
  void park(std::uint64_t token, std::uint32_t deadline_ms, WaitingHeartbeat waiting);
  // A later heartbeat of the member came: its waiting ones are answered, but change nothing.
  void overtake_waiting(std::string_view member_id);
  // The heartbeat parked under this token waits no more.
  void complete(std::uint64_t token, protocol::Buffer body);

  void emit(sdk::Decision& decision) const;

 private:
  struct TimerChange {
    std::string key;
    std::optional<std::uint32_t> after_ms;  // nothing: cancelled
  };
  struct Offloaded {
    std::string key;
    std::string kind;
  };
  struct Parked {
    std::uint64_t token;
    std::uint32_t deadline_ms;
    WaitingHeartbeat waiting;
  };
  struct Completed {
    std::uint64_t token;
    protocol::Buffer body;
  };

  void emit_notes(sdk::Decision& decision) const;

  std::int32_t epoch_;
  std::uint64_t metadata_hash_;
  std::vector<TimerChange> timers_;
  std::vector<Offloaded> offloads_;
  std::vector<Parked> parked_;
  std::vector<Completed> completed_;
  std::vector<std::pair<std::uint64_t, WaitingHeartbeat>> overtaken_;
};

}  // namespace muster::consumer
