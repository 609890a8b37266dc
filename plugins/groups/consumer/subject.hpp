// Who a heartbeat comes from: an existing member, a new one, or a static one that takes a departed
// one's place. Reads only. [shard]
#pragma once

#include <muster/protocol/messages/join_group_request.hpp>

#include <expected>
#include <optional>
#include <string>

#include "context.hpp"
#include "refusal.hpp"
#include "validate.hpp"

namespace muster::consumer {

struct Subject {
  std::string id;
  Member member;  // before the heartbeat; of a replaced static member: its copy, at epoch 0
  const std::string* replaces = nullptr;  // the departed member, perhaps of the same id
};

// Kafka's checks of group size, member id, instance id and epoch, in Kafka's order.
std::expected<Subject, Refusal> find_subject(const Context& context, const Group& group,
                                             const HeartbeatRequest& heartbeat);

// The same for a classic member's JoinGroup. `id`: the request's, or a fresh one if `is_new`.
std::expected<Subject, Refusal> find_subject(const Group& group,
                                             const protocol::JoinGroupRequest& join, std::string id,
                                             bool is_new);
std::optional<Refusal> check_size(const Context& context, const Group& group,
                                  std::string_view member_id,
                                  std::optional<std::string_view> instance_id);
std::string new_member_id(const Context& context);

// Who the id or the instance id stands for; an empty member id with an instance id stands for
// whoever has that.
struct MemberRef {
  std::string_view group_id;
  std::string_view member_id;
  std::optional<std::string_view> instance_id;
  bool may_be_nameless = false;
};
std::expected<std::string, Refusal> find_member_id(const Group& group, const MemberRef& ref);

// The member that leaves.
std::expected<std::string, Refusal> find_leaving(const Group& group,
                                                 const HeartbeatRequest& heartbeat);

}  // namespace muster::consumer
