// ListGroups, one shard's part of it: every owned id as its owner calls it, and the ids that are
// nothing but offsets. [shard]
#include <algorithm>
#include <functional>
#include <string>

#include <muster/protocol/java_string.hpp>
#include <muster/protocol/messages/list_groups_response.hpp>

#include "answers.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

struct ListedEntry {
  std::string group;
  sdk::Listed listed;
};

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// What Java's trim cuts off.
std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// No filter lets all through; a name that nothing has lets nothing through.
bool passes(const std::vector<std::string>& filter, std::string_view value) {
  return filter.empty() || std::ranges::find(filter, lower(value)) != filter.end();
}

std::vector<ListedEntry> entries(const ShardView& view) {
  std::vector<ListedEntry> out;
  view.shard.each_group([&](std::string_view group, const sdk::GroupOwner& owner) {
    if (!owner.has_facet()) return;
    if (auto listed = owner.describe_listed(group)) {
      out.push_back({std::string{group}, *std::move(listed)});
    }
  });
  const auto add_simple = [&](const std::string& group) {
    if (!view.shard.find_group(group)) out.push_back({group, {"classic", "", "Empty"}});
  };
  for (const auto& [group, topics] : view.offsets.groups()) add_simple(group);
  for (const std::string& group : view.offsets.emptied) add_simple(group);
  // In Kafka's order. Within a slot the newest comes first there; ids stand in for age here.
  std::ranges::sort(out, std::greater{}, &ListedEntry::group);
  std::ranges::stable_sort(out, {}, [count = out.size()](const ListedEntry& entry) {
    return protocol::timeline_slot(entry.group, count);
  });
  return out;
}

}  // namespace

void list_groups(const ShardView& view, const sdk::Request& request,
                 protocol::ListGroupsRequest& message, sdk::Decision& out) {
  std::vector<std::string> states;
  for (const std::string_view state : message.states_filter) {
    states.push_back(lower(trim(state)));
  }
  std::vector<std::string> types;
  for (const std::string_view type : message.types_filter) types.push_back(lower(type));

  const Caller caller{view, request};
  const bool sees_all =
      caller.may(sdk::Operation::describe, sdk::Resource::cluster, "kafka-cluster");
  const std::vector<ListedEntry> listed = entries(view);
  protocol::ListGroupsResponse answer;
  for (const ListedEntry& entry : listed) {
    if (!passes(states, entry.listed.state) || !passes(types, entry.listed.type)) continue;
    if (!sees_all && !caller.may(sdk::Operation::describe, sdk::Resource::group, entry.group)) {
      continue;
    }
    answer.groups.push_back(
        {entry.group, entry.listed.protocol_type, entry.listed.state, entry.listed.type});
  }
  respond(answer, request, out);
}

}  // namespace muster::offsets
