// JoinGroup. Kafka's checks in Kafka's order; then the member is added, updated or, if static,
// takes a departed one's place. [shard]
#pragma once

#include <muster/protocol/messages/join_group_request.hpp>

#include <optional>
#include <string>

#include "answers.hpp"
#include "draft.hpp"

namespace muster::classic {

// What can be told without the group. Nothing: go on.
std::optional<protocol::Buffer> check_join(const protocol::JoinGroupRequest& message,
                                           const sdk::Request& request, const sdk::Host& host,
                                           const Settings& settings);

class JoinGroup {
 public:
  JoinGroup(const Context& context, const sdk::Request& request,
            const protocol::JoinGroupRequest& message);

  void decide(sdk::Decision& decision) const;

 private:
  [[nodiscard]] bool is_new() const { return message_.member_id.empty(); }
  [[nodiscard]] protocol::Buffer error(Error error, std::string_view member_id) const {
    return join_error(error, member_id, request_.version());
  }
  [[nodiscard]] bool may_take_over() const;
  [[nodiscard]] bool has_room(const Draft& draft) const;
  [[nodiscard]] bool fits(const Draft& draft) const;
  [[nodiscard]] std::string reason(std::string_view what) const;

  void join(Draft& draft) const;
  void refuse_as_full(Draft& draft) const;
  void join_new(Draft& draft) const;
  void require_member_id(Draft& draft, std::string member_id) const;
  void add(Draft& draft, std::string member_id) const;
  void join_existing(Draft& draft) const;
  void rejoin(Draft& draft, const Member& member) const;
  void update(Draft& draft, Member member, std::string_view why) const;
  void answer_again(Draft& draft, const Member& member, bool with_members) const;
  // Another process has the instance id of a member that is known under another member id.
  void replace(Draft& draft, const Member& departed, std::string member_id) const;
  void answer_replaced(Draft& draft, const Member& member, std::string_view old_leader) const;
  void take_over(Member& member) const;

  const Context& context_;
  const sdk::Request& request_;
  const protocol::JoinGroupRequest& message_;
  SharedProtocols protocols_;
};

}  // namespace muster::classic
