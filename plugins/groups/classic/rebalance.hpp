// A group's way from one generation to the next: join phase, generation, sync phase, and members
// that go. Works on a draft. [shard]
#pragma once

#include <string_view>

#include "draft.hpp"

namespace muster::classic {

// What a member may be silent for until its first join is answered: it cannot send heartbeats, and
// its client cannot be seen to go while its request waits.
inline constexpr std::int32_t new_member_join_timeout_ms = 5 * 60 * 1000;

// Starts a join phase, which may end at once.
void prepare_rebalance(Draft& draft, std::string_view reason);
// Starts a join phase, or goes on with the one that runs.
void rebalance_or_complete_join(Draft& draft, std::string_view reason);
// Ends the join phase if everybody is here.
void maybe_complete_join(Draft& draft);
// Ends the join phase: its time is over, or everybody is here.
void complete_join(Draft& draft);

// Answers what waits, and elects another leader. The state stays.
void remove_member(Draft& draft, std::string_view member_id);
void remove_pending(Draft& draft, std::string_view member_id);

// The member's earlier request has lost its place to another of the same kind.
void overtake_join(Draft& draft, const Member& member);
void overtake_sync(Draft& draft, const Member& member);

void on_session_end(Draft& draft, std::string_view member_id);
void on_join_end(Draft& draft);
void on_sync_end(Draft& draft);

// The name that all support and that most would choose first; of several the smallest.
std::string select_protocol(const RosterDraft& roster);

}  // namespace muster::classic
