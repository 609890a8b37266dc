// Who a heartbeat comes from: an existing member, a new one, or a static one that takes a departed
// one's place. Reads only. [shard]
#pragma once

#include <expected>
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

// The member that leaves.
std::expected<std::string, Refusal> find_leaving(const Group& group,
                                                 const HeartbeatRequest& heartbeat);

}  // namespace muster::consumer
