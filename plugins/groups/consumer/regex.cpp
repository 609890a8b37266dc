// When regular expressions are matched anew, and what a match changes. [shard]
#include "regex.hpp"

#include <muster/protocol/arrays.hpp>
#include <muster/sdk/text.hpp>

#include <algorithm>

#include "run_lost.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;

// Between two matches of a group, however urgent.
constexpr std::int64_t least_interval_ms = 10'000;

std::expected<RegexUpdate, Refusal> classify(Draft& draft, std::string_view before,
                                             std::string_view after) {
  const Group& group = draft.group;
  if (!before.empty() && group.subscribers_of(before) == 1) draft.records.remove_regex(before);
  if (after.empty()) {
    return before.empty() ? RegexUpdate::changed : RegexUpdate::changed_and_resolved;
  }
  if (group.subscribers_of(after) > 0) {
    return group.resolved(after) == nullptr ? RegexUpdate::changed
                                            : RegexUpdate::changed_and_resolved;
  }
  if (const auto problem = regex_problem(after)) {
    return std::unexpected(
        Refusal{Error::invalid_regular_expression,
                sdk::text("SubscribedTopicRegex `", after, "` is not a valid regular expression: ",
                          *problem, ".")});
  }
  return RegexUpdate::changed;
}

// How many different expressions the group has once the member has changed.
std::size_t count_after(const Group& group, std::string_view before, std::string_view after) {
  std::size_t count = group.subscribed_regexes().size();
  if (before == after) return count;
  if (!before.empty() && group.subscribers_of(before) == 1) --count;
  if (!after.empty() && group.subscribers_of(after) == 0) ++count;
  return count;
}

std::optional<std::int64_t> last_match_ms(const Group& group) {
  std::optional<std::int64_t> last;
  for (const auto& [pattern, resolved] : group.resolved_regexes()) {
    last = std::max(last.value_or(resolved.timestamp), resolved.timestamp);
  }
  return last;
}

// `wanted`: how many different expressions there will be; is_new: one of them was never matched.
bool is_due(const Context& context, const Group& group, std::size_t wanted, bool is_new) {
  const std::int64_t now = context.now_ms();
  if (group.notes.regex_run && !run_is_lost(group.notes.regex_run->asked_at_ms, now)) return false;
  const auto last = last_match_ms(group);
  if (last && now <= *last + least_interval_ms) return false;
  if (is_new || wanted != group.resolved_regexes().size()) return true;
  if (group.notes.resolved_version < context.state.new_topics_version()) return true;
  return !last || now > *last + context.settings.regex_refresh_interval_ms();
}

}  // namespace

bool match_is_due(const Context& context, const Group& group) {
  const std::size_t wanted = group.subscribed_regexes().size();
  return wanted > 0 && is_due(context, group, wanted, false);
}

std::expected<RegexUpdate, Refusal> update_regexes(Draft& draft, const MemberMetadata& before,
                                                   const MemberMetadata& after,
                                                   const RegexCaller& caller) {
  auto update = RegexUpdate::unchanged;
  if (before.topic_regex != after.topic_regex) {
    const auto classified = classify(draft, before.regex(), after.regex());
    if (!classified) return classified;
    update = *classified;
  }
  const std::size_t wanted = count_after(draft.group, before.regex(), after.regex());
  const bool is_new = !after.regex().empty() && draft.group.subscribers_of(after.regex()) == 0;
  if (wanted > 0 && is_due(draft.context, draft.group, wanted, is_new)) {
    draft.notes.regex_run = RegexRun{std::string(caller.principal),
                                     std::string(caller.client_host), draft.context.now_ms()};
    draft.offload(Offload::regex, std::string(regex_work));
  }
  return update;
}

void apply_matches(Draft& draft, sdk::Bytes result) {
  protocol::Reader in{protocol::Bytes(result)};
  const std::int64_t version = in.read_int64();
  const std::int64_t timestamp = in.read_int64();
  const Group& group = draft.group;
  SubscriptionChange change;
  bool topics_changed = false;
  std::vector<ResolvedRegex> resolved;  // kept until the hash is made: the change points into them
  const std::int32_t count = in.read_count(true, 2);
  resolved.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (std::int32_t i = 0; i < count && in.ok(); ++i) {
    const std::string_view pattern = in.read_string(true);
    std::vector<std::string_view> topics;
    protocol::read_array(in, topics, {true, 0, 1});
    if (!in.ok() || group.subscribers_of(pattern) == 0) continue;
    const ResolvedRegex& now =
        resolved.emplace_back(ResolvedRegex{to_topic_names(topics), version, timestamp});
    const ResolvedRegex* before = group.resolved(pattern);
    if (now.topics != (before == nullptr ? TopicNames{} : before->topics)) {
      topics_changed = true;
      if (before != nullptr) change.by_regex(before->topics, -1);
      change.by_regex(now.topics, 1);
    }
    draft.records.regex(pattern, now);
  }
  if (!in.ok()) throw sdk::Failure(MUSTER_CORRUPT, "the result of work/regex cannot be read");
  draft.notes.resolved_version = version;
  const std::uint64_t hash = draft.hash_after(change);
  if (!topics_changed && hash == group.metadata_hash) return;
  draft.bump(hash);
  draft.notes.refresh_wanted = false;
}

}  // namespace muster::consumer
