#include "describe.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>

#include <utility>

namespace muster::classic {
namespace {

using protocol::DescribeGroupsResponse;
using protocol::Error;
using Described = DescribeGroupsResponse::DescribedGroup;

constexpr std::int16_t first_version_with_operations = 3;

class Description {
 public:
  Description(const Context& context, const sdk::Request& request,
              const protocol::DescribeGroupsRequest& message)
      : context_(context),
        who_{request.principal(), request.client_host()},
        wants_operations_(message.include_authorized_operations &&
                          request.version() >= first_version_with_operations) {}

  Described of(std::string_view id) const {
    Described out;
    out.group_id = id;
    if (!may(sdk::Operation::describe, id)) {
      out.error_code = protocol::code(Error::group_authorization_failed);
      return out;
    }
    const Group* group = context_.state.find(id);
    if (group == nullptr) {
      throw sdk::Failure(MUSTER_UNAVAILABLE, sdk::text("no classic group ", id));
    }
    describe(*group, out);
    if (wants_operations_) out.authorized_operations = operations(id);
    return out;
  }

 private:
  bool may(sdk::Operation operation, std::string_view group) const {
    return context_.host.allowed(who_, operation, sdk::Resource::group, group);
  }

  static void describe(const Group& group, Described& out) {
    const Header& header = group.header;
    const bool is_stable = header.is(GroupState::stable);
    const std::string_view protocol =
        is_stable && header.protocol_name ? std::string_view(*header.protocol_name) : "";
    out.group_state = to_text(header.state);
    if (header.protocol_type) out.protocol_type = *header.protocol_type;
    out.protocol_data = protocol;
    for (const auto& [id, member] : group.roster.members()) {
      auto& one = out.members.emplace_back();
      one.member_id = id;
      one.group_instance_id = member.instance_id;
      one.client_id = member.client_id;
      one.client_host = member.client_host;
      const protocol::Buffer* metadata = is_stable ? member.metadata(protocol) : nullptr;
      if (metadata != nullptr) one.member_metadata = *metadata;
      one.member_assignment = member.assigned();
    }
  }

  // A bit for each operation that a group knows and the caller may do.
  std::int32_t operations(std::string_view group) const {
    std::int32_t bits = 0;
    for (const auto operation :
         {sdk::Operation::read, sdk::Operation::remove, sdk::Operation::describe,
          sdk::Operation::describe_configs, sdk::Operation::alter_configs}) {
      if (may(operation, group)) bits |= 1 << static_cast<int>(operation);
    }
    return bits;
  }

  const Context& context_;
  sdk::Principal who_;
  bool wants_operations_;
};

}  // namespace

void describe_groups(const Context& context, const sdk::Request& request,
                     const protocol::DescribeGroupsRequest& message, sdk::Decision& decision) {
  const Description description(context, request, message);
  DescribeGroupsResponse response;
  for (const std::string_view id : message.groups) response.groups.push_back(description.of(id));
  protocol::Buffer body;
  protocol::encode(response, request.version(), body);
  decision.respond_owned(std::move(body));
}

}  // namespace muster::classic
