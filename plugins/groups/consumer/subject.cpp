// Who a heartbeat comes from. [shard]
#include "subject.hpp"

#include <muster/protocol/types.hpp>
#include <muster/sdk/text.hpp>

namespace muster::consumer {
namespace {

using protocol::Error;
using sdk::text;

MemberRef ref_of(const HeartbeatRequest& heartbeat) {
  return {heartbeat.group_id, heartbeat.member_id, heartbeat.instance_id};
}

Refusal unknown_member(const MemberRef& ref) {
  return {Error::unknown_member_id,
          text("Member ", ref.member_id, " is not a member of group ", ref.group_id, ".")};
}

Refusal unknown_instance(std::string_view instance_id) {
  return {Error::unknown_member_id, text("Instance id ", instance_id, " is unknown.")};
}

Refusal fenced_instance(const MemberRef& ref, std::string_view holder) {
  return {Error::fenced_instance_id, text("Static member ", ref.member_id, " with instance id ",
                                          *ref.instance_id, " was fenced by member ", holder, ".")};
}

Refusal unreleased_instance(const HeartbeatRequest& heartbeat, std::string_view holder) {
  return {Error::unreleased_instance_id,
          text("Static member ", heartbeat.member_id, " with instance id ", *heartbeat.instance_id,
               " cannot join the group because the instance id is owned by ", holder, " member.")};
}

Refusal fenced_epoch(const HeartbeatRequest& heartbeat, std::string_view how, std::int32_t known) {
  return {Error::fenced_member_epoch,
          text("The consumer group member has a ", how, " member epoch (", heartbeat.member_epoch,
               ") than the one known by the group coordinator (", known,
               "). The member must abandon all its partitions and rejoin.")};
}

bool owns_only_assigned(const HeartbeatRequest& heartbeat, const CurrentAssignment& current) {
  if (!heartbeat.topic_partitions) return false;
  for (const TopicPartition& at : to_partitions(*heartbeat.topic_partitions)) {
    if (!contains(current.assigned, at)) return false;
  }
  return true;
}

std::optional<Refusal> check_epoch(const HeartbeatRequest& heartbeat,
                                   const CurrentAssignment& current) {
  const std::int32_t received = heartbeat.member_epoch;
  if (received == join_epoch || received == current.epoch) return std::nullopt;
  if (received > current.epoch) return fenced_epoch(heartbeat, "greater", current.epoch);
  // The answer that brought the new epoch may have been lost.
  if (received == current.previous_epoch && owns_only_assigned(heartbeat, current)) {
    return std::nullopt;
  }
  return fenced_epoch(heartbeat, "smaller", current.epoch);
}

// Takes the place of the static member `holder`, with all that it has.
Subject replacing(const Group& group, const std::string* holder, std::string id) {
  Subject subject{std::move(id), *group.find_member(*holder), holder};
  subject.member.current.epoch = join_epoch;
  subject.member.current.previous_epoch = join_epoch;
  return subject;
}

Subject new_or_known(const Group& group, std::string id) {
  Subject subject{std::move(id), {}, nullptr};
  if (const Member* member = group.find_member(subject.id)) subject.member = *member;
  return subject;
}

std::expected<Subject, Refusal> find_dynamic(const Group& group, const HeartbeatRequest& heartbeat,
                                             std::string id) {
  Subject subject{std::move(id), {}, nullptr};
  if (const Member* member = group.find_member(subject.id)) {
    if (auto refusal = check_epoch(heartbeat, member->current)) return std::unexpected(*refusal);
    subject.member = *member;
  } else if (heartbeat.member_epoch != join_epoch) {
    return std::unexpected(unknown_member(ref_of(heartbeat)));
  }
  return subject;
}

std::expected<Subject, Refusal> join_static(const Group& group, const HeartbeatRequest& heartbeat,
                                            std::string id) {
  const std::string* holder = group.static_member(*heartbeat.instance_id);
  if (holder == nullptr) return new_or_known(group, std::move(id));
  const Member& departed = *group.find_member(*holder);
  if (!departed.metadata.classic && departed.current.epoch != static_leave_epoch) {
    return std::unexpected(unreleased_instance(heartbeat, *holder));
  }
  return replacing(group, holder, std::move(id));
}

std::expected<Subject, Refusal> find_static(const Group& group, const HeartbeatRequest& heartbeat,
                                            std::string id) {
  if (heartbeat.member_epoch == join_epoch) return join_static(group, heartbeat, std::move(id));
  const auto holder = find_member_id(group, ref_of(heartbeat));
  if (!holder) return std::unexpected(holder.error());
  const Member& member = *group.find_member(*holder);
  if (auto refusal = check_epoch(heartbeat, member.current)) return std::unexpected(*refusal);
  return Subject{std::move(id), member, nullptr};
}

}  // namespace

std::optional<Refusal> check_size(const Context& context, const Group& group,
                                  std::string_view member_id,
                                  std::optional<std::string_view> instance_id) {
  if (instance_id && group.static_member(*instance_id) != nullptr) return std::nullopt;
  const std::int64_t most = context.settings.max_size();
  if (static_cast<std::int64_t>(group.members().size()) < most ||
      group.find_member(member_id) != nullptr) {
    return std::nullopt;
  }
  return Refusal{
      Error::group_max_size_reached,
      text("The consumer group has reached its maximum capacity of ", most, " members.")};
}

std::string new_member_id(const Context& context) {
  protocol::Uuid id;
  // A leading '-' would make a poor command-line argument; Kafka draws again too.
  do {
    id.bytes = context.host.random_uuid().bytes;
  } while (id.to_string().starts_with('-'));
  return id.to_string();
}

std::expected<Subject, Refusal> find_subject(const Context& context, const Group& group,
                                             const HeartbeatRequest& heartbeat) {
  if (auto refusal = check_size(context, group, heartbeat.member_id, heartbeat.instance_id)) {
    return std::unexpected(*refusal);
  }
  std::string id(heartbeat.member_id);
  if (id.empty()) id = new_member_id(context);
  if (heartbeat.instance_id) return find_static(group, heartbeat, std::move(id));
  return find_dynamic(group, heartbeat, std::move(id));
}

std::expected<Subject, Refusal> find_subject(const Group& group,
                                             const protocol::JoinGroupRequest& join, std::string id,
                                             bool is_new) {
  if (!join.group_instance_id) return new_or_known(group, std::move(id));
  const std::string* holder = group.static_member(*join.group_instance_id);
  if (is_new) {
    return holder == nullptr ? new_or_known(group, std::move(id))
                             : replacing(group, holder, std::move(id));
  }
  const auto known = find_member_id(group, {join.group_id, id, join.group_instance_id});
  if (!known) return std::unexpected(known.error());
  return new_or_known(group, std::move(id));
}

std::expected<std::string, Refusal> find_member_id(const Group& group, const MemberRef& ref) {
  if (!ref.instance_id) {
    if (group.find_member(ref.member_id) == nullptr) return std::unexpected(unknown_member(ref));
    return std::string(ref.member_id);
  }
  const std::string* holder = group.static_member(*ref.instance_id);
  if (holder == nullptr) return std::unexpected(unknown_instance(*ref.instance_id));
  const bool is_nameless = ref.may_be_nameless && ref.member_id.empty();
  if (!is_nameless && *holder != ref.member_id) {
    return std::unexpected(fenced_instance(ref, *holder));
  }
  return *holder;
}

std::expected<std::string, Refusal> find_leaving(const Group& group,
                                                 const HeartbeatRequest& heartbeat) {
  return find_member_id(group, ref_of(heartbeat));
}

}  // namespace muster::consumer
