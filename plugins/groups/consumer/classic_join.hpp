// JoinGroup of a classic member in a consumer group. Reads only. [shard]
#pragma once

#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/sdk/request.hpp>

#include <optional>
#include <string>

#include "classic_answers.hpp"
#include "context.hpp"
#include "draft.hpp"
#include "subject.hpp"

namespace muster::consumer {

using JoinRequest = protocol::JoinGroupRequest;

// What can be said against it without looking at any group.
protocol::Error check_join(const JoinRequest& join, const sdk::Request& request,
                           const sdk::Host& host, const Settings& settings);

class ClassicJoin {
 public:
  ClassicJoin(const Context& context, const sdk::Request& request, const JoinRequest& message)
      : context_(context), request_(request), message_(message) {}

  void decide(sdk::Decision& decision) const;

 private:
  [[nodiscard]] JoinRefusal check(const Group& group) const;
  [[nodiscard]] bool is_lost(const Group& group) const;
  // Nothing: answered, or waiting.
  std::optional<JoinRefusal> join(const Group& group, std::string member_id,
                                  sdk::Decision& decision) const;
  std::optional<JoinRefusal> stay(Draft& draft, const Subject& subject, const MemberMetadata& after,
                                  sdk::Decision& decision) const;
  std::optional<JoinRefusal> take_last_place(const Group& group, const Subject& subject,
                                             const MemberMetadata& after,
                                             sdk::Decision& decision) const;
  [[nodiscard]] std::optional<MemberMetadata> updated(const MemberMetadata& before) const;
  [[nodiscard]] Partitions owned() const;
  void respond(sdk::Decision& decision, const JoinAnswer& answer) const;
  void respond(sdk::Decision& decision, const JoinRefusal& refusal) const;

  const Context& context_;
  const sdk::Request& request_;
  const JoinRequest& message_;
};

}  // namespace muster::consumer
