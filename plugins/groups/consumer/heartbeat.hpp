// ConsumerGroupHeartbeat: join, steady beats, rejoin, leave. Reads only. [shard]
#pragma once

#include <muster/sdk/request.hpp>

#include <expected>
#include <memory>
#include <optional>

#include "context.hpp"
#include "upgrade.hpp"
#include "validate.hpp"

namespace muster::consumer {

class Heartbeat {
 public:
  // `body`: room for the answer, lent so that steady heartbeats allocate nothing.
  Heartbeat(const Context& context, const sdk::Request& request, const HeartbeatRequest& message,
            protocol::Buffer& body)
      : context_(context), request_(request), message_(message), body_(body) {}

  void decide(sdk::Decision& decision) const;

 private:
  std::optional<Refusal> refuse_or_decide(sdk::Decision& decision) const;
  // What the heartbeat starts from. The group may be another protocol's: one that is to become
  // ours, or one without members whose id we take.
  struct Basis {
    const Group* group;
    std::unique_ptr<const Upgraded> upgraded;
    std::optional<sdk::GroupOwner> emptied;
  };

  std::expected<Basis, Refusal> find_basis() const;
  std::optional<Refusal> check_owner(const Group* known) const;
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
  protocol::Buffer& body_;
};

}  // namespace muster::consumer
