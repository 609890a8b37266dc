#include "rebalance.hpp"

#include <algorithm>
#include <utility>

#include "answers.hpp"

namespace muster::classic {
namespace {

bool all_joined(const Draft& draft) {
  const Tally& tally = draft.roster().tally();
  return tally.members() == tally.waiting_joins() && !draft.has_pending();
}

std::int32_t rebalance_timeout_ms(const Draft& draft) {
  std::int32_t longest = 0;
  draft.roster().each(
      [&](const Member& member) { longest = std::max(longest, member.rebalance_timeout_ms); });
  return longest;
}

// Who waits for the assignment is told to join again.
void break_off_sync(Draft& draft) {
  draft.roster().each([&](const Member& member) {
    if (!member.sync) return;
    draft.answer(*member.sync, sync_error(Error::rebalance_in_progress, member.sync->version));
    draft.start_session(member);
  });
  draft.change_all(Change::syncs_broken_off);
}

void drop_absent(Draft& draft) {
  std::vector<std::string> absent;
  draft.roster().each([&](const Member& member) {
    if (!member.join && !member.instance_id) absent.push_back(member.id);
  });
  for (const std::string& id : absent) {
    draft.context.host.info("group ", draft.group_id, ": member ", id, " did not rejoin in time");
    draft.cancel_timer(Timer::session, id);
    remove_member(draft, id);
  }
}

// True: the group has a leader that has joined.
bool has_joined_leader(Draft& draft) {
  if (!draft.header.leader) return false;
  const Member* leader = draft.roster().find(*draft.header.leader);
  if (leader != nullptr && leader->join) return true;
  std::optional<std::string> joined;
  draft.roster().each([&](const Member& member) {
    if (member.join && !joined) joined = member.id;
  });
  if (joined) draft.header.leader = joined;
  return joined.has_value();
}

void become_empty(Draft& draft) {
  draft.header.protocol_name.reset();
  draft.move_to(GroupState::empty);
  draft.store();
  draft.context.host.info("group ", draft.group_id, ": empty with generation ",
                          draft.header.generation);
}

void begin_sync(Draft& draft) {
  Header& header = draft.header;
  header.protocol_name = select_protocol(draft.roster());
  draft.move_to(GroupState::completing_rebalance);
  draft.context.host.info("group ", draft.group_id, ": generation ", header.generation, " has ",
                          draft.roster().tally().members(), " members");
  draft.roster().each([&](const Member& member) {
    if (member.join) {
      const bool assigns = header.is_leader(member.id);
      draft.answer(*member.join, join_answer({header, member.id, *header.leader,
                                              assigns ? &draft.roster() : nullptr, false},
                                             member.join->version));
    }
    draft.start_session(member);
  });
  draft.change_all(Change::joins_answered);
  draft.start_timer(Timer::sync, {}, rebalance_timeout_ms(draft));
}

void elect_if_gone(Draft& draft, std::string_view member_id) {
  if (!draft.header.is_leader(member_id)) return;
  draft.header.leader.reset();
  draft.roster().each([&](const Member& member) {
    if (!draft.header.leader) draft.header.leader = member.id;
  });
}

void complete_if_all_joined(Draft& draft) {
  if (draft.header.is(GroupState::preparing_rebalance) && all_joined(draft)) complete_join(draft);
}

}  // namespace

void prepare_rebalance(Draft& draft, std::string_view reason) {
  Header& header = draft.header;
  if (header.is(GroupState::completing_rebalance)) {
    break_off_sync(draft);
  } else if (draft.roster().tally().pending_syncs() != 0) {
    draft.change_all(Change::syncs_forgotten);
  }
  draft.cancel_timer(Timer::sync);
  draft.context.host.info("group ", draft.group_id, ": rebalance after generation ",
                          header.generation, ": ", reason);
  draft.move_to(GroupState::preparing_rebalance);
  if (header.from_empty) {
    const std::int32_t delay_ms = draft.context.settings.initial_rebalance_delay_ms;
    header.initial_delay =
        InitialDelay{delay_ms, std::max(rebalance_timeout_ms(draft) - delay_ms, 0), false};
    return draft.start_timer(Timer::join, {}, delay_ms);
  }
  if (all_joined(draft)) return complete_join(draft);
  draft.start_timer(Timer::join, {}, rebalance_timeout_ms(draft));
}

void rebalance_or_complete_join(Draft& draft, std::string_view reason) {
  if (draft.header.is(GroupState::preparing_rebalance)) return maybe_complete_join(draft);
  prepare_rebalance(draft, reason);
}

void maybe_complete_join(Draft& draft) {
  // The first join phase of a group lasts its time, so that others may come.
  if (!draft.header.from_empty) complete_if_all_joined(draft);
}

void complete_join(Draft& draft) {
  draft.cancel_timer(Timer::join);
  drop_absent(draft);
  if (!has_joined_leader(draft) && !draft.roster().empty()) {
    // Static members stay until their sessions end.
    draft.header.initial_delay.reset();
    return draft.start_timer(Timer::join, {}, rebalance_timeout_ms(draft));
  }
  // Wraps as Java's int does.
  draft.header.generation =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(draft.header.generation) + 1);
  draft.roster().empty() ? become_empty(draft) : begin_sync(draft);
}

void remove_member(Draft& draft, std::string_view member_id) {
  const Member* member = draft.roster().find(member_id);
  if (member == nullptr) return;
  if (member->join) {
    draft.answer(*member->join, join_error(Error::unknown_member_id, {}, member->join->version));
  }
  if (member->sync) {
    draft.answer(*member->sync, sync_error(Error::unknown_member_id, member->sync->version));
  }
  const std::string id(member_id);
  draft.erase(id);
  elect_if_gone(draft, id);
}

void remove_pending(Draft& draft, std::string_view member_id) {
  draft.set_pending(member_id, false);
}

void overtake_join(Draft& draft, const Member& member) {
  if (!member.join) return;
  draft.answer(*member.join,
               join_error(Error::rebalance_in_progress, member.id, member.join->version));
}

void overtake_sync(Draft& draft, const Member& member) {
  if (!member.sync) return;
  draft.answer(*member.sync, sync_error(Error::rebalance_in_progress, member.sync->version));
}

void on_session_end(Draft& draft, std::string_view member_id) {
  if (draft.is_pending(member_id)) {
    remove_pending(draft, member_id);
    return complete_if_all_joined(draft);
  }
  const Member* member = draft.roster().find(member_id);
  if (member == nullptr || member->is_heard()) return;
  draft.context.host.info("group ", draft.group_id, ": member ", member_id,
                          " is removed: its session expired");
  remove_member(draft, member_id);
  if (draft.header.is(GroupState::preparing_rebalance)) return complete_if_all_joined(draft);
  if (!draft.header.is(GroupState::empty)) prepare_rebalance(draft, "a session expired");
}

void on_join_end(Draft& draft) {
  Header& header = draft.header;
  if (!header.is(GroupState::preparing_rebalance)) return;
  if (!header.initial_delay || !header.initial_delay->extended ||
      header.initial_delay->remaining_ms == 0) {
    return complete_join(draft);
  }
  const InitialDelay last = *header.initial_delay;
  const std::int32_t delay_ms =
      std::min(draft.context.settings.initial_rebalance_delay_ms, last.remaining_ms);
  header.initial_delay =
      InitialDelay{delay_ms, std::max(last.remaining_ms - last.delay_ms, 0), false};
  draft.start_timer(Timer::join, {}, delay_ms);
}

void on_sync_end(Draft& draft) {
  const bool is_due =
      draft.header.is(GroupState::completing_rebalance) || draft.header.is(GroupState::stable);
  if (!is_due || draft.roster().tally().pending_syncs() == 0) return;
  std::vector<std::string> late;
  draft.roster().each([&](const Member& member) {
    if (member.sync_pending) late.push_back(member.id);
  });
  for (const std::string& id : late) {
    draft.context.host.info("group ", draft.group_id, ": member ", id, " did not sync in time");
    draft.cancel_timer(Timer::session, id);
    remove_member(draft, id);
  }
  prepare_rebalance(draft, "members did not sync in time");
}

std::string select_protocol(const RosterDraft& roster) {
  std::map<std::string_view, std::size_t> votes;
  roster.each([&](const Member& member) {
    for (const Protocol& protocol : *member.protocols) {
      if (!roster.tally().all_support(protocol.name)) continue;
      ++votes[protocol.name];
      break;
    }
  });
  const auto chosen =
      std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  if (chosen == votes.end()) {
    throw sdk::Failure(MUSTER_INTERNAL, "the members of a group have no protocol in common");
  }
  return std::string(chosen->first);
}

}  // namespace muster::classic
