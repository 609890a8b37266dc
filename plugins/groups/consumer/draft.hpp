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
  void cancel_timers(std::string_view member);
  // A classic member's session lasts as long as it said, others' as the group says.
  void start_session(std::string_view member, const MemberMetadata& metadata);
  // The classic member must rejoin within its rebalance timeout, which runs from the first time.
  void ask_to_rejoin(std::string_view member, const MemberMetadata& metadata);
  // It has rejoined, or is a classic member no more.
  void end_rejoin(std::string_view member);
  // The id is another protocol's, whose group of that name has no members: it goes before all else.
  void take_over(const sdk::GroupOwner& owner) { taken_over_ = owner; }
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

  std::optional<sdk::GroupOwner> taken_over_;
  std::int32_t epoch_;
  std::uint64_t metadata_hash_;
  std::vector<TimerChange> timers_;
  std::vector<Offloaded> offloads_;
  std::vector<Parked> parked_;
  std::vector<Completed> completed_;
  std::vector<std::pair<std::uint64_t, WaitingHeartbeat>> overtaken_;
  std::vector<std::pair<std::string, bool>> rejoins_;
};

}  // namespace muster::consumer
