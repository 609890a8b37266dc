// ConsumerGroupHeartbeat: join, steady beats, rejoin, leave. Reads only. [shard]
#pragma once

#include <muster/sdk/request.hpp>

#include "context.hpp"
#include "validate.hpp"

namespace muster::consumer {

// Lent by the shard so that steady heartbeats allocate nothing; holds nothing between calls.
struct Scratch {
  protocol::Buffer body;
  std::string key;
};

class Heartbeat {
 public:
  Heartbeat(const Context& context, const sdk::Request& request, const HeartbeatRequest& message,
            Scratch& scratch)
      : context_(context), request_(request), message_(message), scratch_(scratch) {}

  void decide(sdk::Decision& decision) const;

 private:
  std::optional<Refusal> refuse_or_decide(sdk::Decision& decision) const;
  std::optional<Refusal> check_owner(bool joins) const;
  bool renew_steady(const Group& group, sdk::Decision& decision) const;
  std::optional<Refusal> beat(sdk::Decision& decision) const;
  std::optional<Refusal> leave(sdk::Decision& decision) const;
  MemberMetadata updated(const MemberMetadata& before) const;
  bool sends_everything() const;
  void respond(sdk::Decision& decision, std::string_view member, std::int32_t epoch,
               const AssignedPartitions* assignment) const;

  const Context& context_;
  const sdk::Request& request_;
  const HeartbeatRequest& message_;
  Scratch& scratch_;
};

}  // namespace muster::consumer
