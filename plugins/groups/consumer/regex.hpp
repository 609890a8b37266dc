// Subscriptions by regular expression: validity, when to match anew, the matching itself on the
// pool, and what its result changes. RE2 syntax, the whole topic name must match.
#pragma once

#include <muster/sdk/protocol_slots.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "draft.hpp"
#include "refusal.hpp"

namespace muster::consumer {

struct RegexCaller {
  std::string_view principal;
  std::string_view client_host;
};

enum class RegexUpdate {
  unchanged,
  changed,
  changed_and_resolved,  // the group can be assigned at once
};

// [shard] What a member's new metadata means for the group's regular expressions; asks for a match
// if one is due. Refuses an expression that does not compile.
std::expected<RegexUpdate, Refusal> update_regexes(Draft& draft, const MemberMetadata& before,
                                                   const MemberMetadata& after,
                                                   const RegexCaller& caller);

// [shard] Whether a heartbeat that changes nothing would ask for a match.
bool match_is_due(const Context& context, const Group& group);

// [shard] What a match needs, built when it starts.
protocol::Buffer regex_input(const Context& context, const Group& group);

// [worker] Only topics that the caller may describe count. Throws for a foreign input.
protocol::Buffer match_regexes(const sdk::Host& host, sdk::Bytes input);

// [shard] Takes a result in: expressions that nobody has any more are skipped. Throws for foreign
// bytes.
void apply_matches(Draft& draft, sdk::Bytes result);

// [any] Why it does not compile, in RE2/J's words; nothing if it does.
std::optional<std::string> regex_problem(std::string_view pattern);

}  // namespace muster::consumer
