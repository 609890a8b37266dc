// DeleteGroups: the owner agrees and takes its records back, then the offsets go, in one batch.
// [shard]
#include "answers.hpp"
#include "records.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

using protocol::Error;

std::int16_t delete_group(const ShardView& view, std::string_view group, sdk::Decision& out) {
  if (const auto owner = view.shard.find_group(group)) {
    if (!owner->has_facet()) return code(Error::group_id_not_found);
    if (const std::int16_t error = owner->remove(group); error != 0) return error;
  } else if (!view.offsets.knows(group)) {
    return code(Error::group_id_not_found);
  }
  if (const TopicOffsets* topics = view.offsets.find_group(group)) {
    for (const auto& [topic, partitions] : *topics) {
      for (const CommittedOffset& offset : partitions | from_the_back) {
        emit_tombstone({group, topic, offset.partition}, out);
      }
    }
  }
  if (view.offsets.emptied.contains(group)) note_emptied(group, false, out);
  return 0;
}

}  // namespace

void delete_groups(const ShardView& view, const sdk::Request& request,
                   protocol::DeleteGroupsRequest& message, sdk::Decision& out) {
  const Caller caller{view, request};
  protocol::DeleteGroupsResponse answer;
  for (const std::string_view group : distinct(message.groups_names)) {
    const bool may = caller.may(sdk::Operation::remove, sdk::Resource::group, group);
    answer.results.push_back(delete_result(
        group, may ? delete_group(view, group, out) : code(Error::group_authorization_failed)));
  }
  respond(answer, request, out);
}

}  // namespace muster::offsets
