// DescribeGroups for the ids that no classic group is: simple groups, unknown ids, other types.
// [shard]
#include <deque>
#include <string>

#include <muster/sdk/text.hpp>

#include "answers.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

using protocol::Error;
using Described = protocol::DescribeGroupsResponse::DescribedGroup;

constexpr std::int16_t first_version_with_operations = 3;
constexpr std::int16_t first_version_with_group_id_not_found = 6;

// A bit for each operation that Kafka knows for groups and the caller may do.
std::int32_t allowed_operations(const Caller& caller, std::string_view group) {
  using enum sdk::Operation;
  std::int32_t bits = 0;
  for (const sdk::Operation operation : {read, remove, describe, describe_configs, alter_configs}) {
    if (caller.may(operation, sdk::Resource::group, group)) {
      bits |= 1 << static_cast<std::int32_t>(operation);
    }
  }
  return bits;
}

}  // namespace

void describe_groups(const ShardView& view, const sdk::Request& request,
                     protocol::DescribeGroupsRequest& message, sdk::Decision& out) {
  const Caller caller{view, request};
  std::deque<std::string> messages;  // the answer views them
  const auto describe = [&](std::string_view id) {
    if (!caller.may(sdk::Operation::describe, sdk::Resource::group, id)) {
      return describe_error(id, code(Error::group_authorization_failed));
    }
    Described group = describe_error(id, 0);
    const auto owner = view.shard.find_group(id);
    const bool simple = !owner && view.offsets.knows(id);
    group.group_state = simple ? "Empty" : "Dead";
    if (!simple && request.version() >= first_version_with_group_id_not_found) {
      const bool other_type = owner && owner->has_facet();
      group.error_code = code(Error::group_id_not_found);
      group.error_message = messages.emplace_back(
          sdk::text("Group ", id, other_type ? " is not a classic group." : " not found."));
    }
    if (group.error_code == 0 && message.include_authorized_operations &&
        request.version() >= first_version_with_operations) {
      group.authorized_operations = allowed_operations(caller, id);
    }
    return group;
  };
  protocol::DescribeGroupsResponse answer;
  for (const std::string_view id : message.groups) answer.groups.push_back(describe(id));
  respond(answer, request, out);
}

}  // namespace muster::offsets
