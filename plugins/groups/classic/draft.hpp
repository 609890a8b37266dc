// What a decision makes of one group, as far as it got: nothing leaves before emit. Each change is
// seen by what comes after it, and is kept as the note that will repeat it. Owner: one slot.
// [shard]
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context.hpp"
#include "keys.hpp"
#include "notes.hpp"
#include "records.hpp"

namespace muster::classic {

class Draft {
 public:
  Draft(const Context& context, std::string_view group_id, const Group& group);
  // In the name of a request, which must be answered or will wait.
  Draft(const Context& context, const sdk::Request& request, std::string_view group_id,
        const Group& group);

  const Context& context;
  const std::string group_id;
  Header header;

  [[nodiscard]] const RosterDraft& roster() const { return roster_; }
  [[nodiscard]] bool is_pending(std::string_view member_id) const;
  [[nodiscard]] bool has_pending() const { return pending_count_ != 0; }
  // Of the request; there must be one.
  [[nodiscard]] Waiting request() const { return *request_; }

  void put(Member member);
  void erase(std::string_view member_id);
  void change_all(Change change);
  void set_pending(std::string_view member_id, bool is_pending);
  void move_to(GroupState state);

  // The group as it is now is what a reload will find; with these assignments, which are the
  // members' once this is replayed.
  void store(const Assignments* assignments = nullptr);
  void store_new_group();

  void start_session(const Member& member);
  void start_timer(Timer timer, std::string_view member_id, std::int32_t after_ms);
  void cancel_timer(Timer timer, std::string_view member_id = {});

  void answer(const Waiting& waiting, protocol::Buffer body);
  void answer(protocol::Buffer body) { answer(*request_, std::move(body)); }

  void emit(sdk::Decision& decision);

 private:
  struct TimerChange {
    std::string key;
    std::optional<std::uint32_t> after_ms;  // nothing: cancelled
  };
  struct Answer {
    std::uint64_t token;
    protocol::Buffer body;
  };

  void emit_notes(sdk::Decision& decision) const;

  const Group& group_;
  std::optional<Waiting> request_;
  RosterDraft roster_;
  std::map<std::string, bool, std::less<>> pending_changes_;
  std::size_t pending_count_;
  std::vector<Note> notes_;
  std::optional<protocol::Buffer> record_;
  std::vector<TimerChange> timers_;
  std::vector<Answer> answers_;
};

}  // namespace muster::classic
