// ConsumerGroupDescribe. [shard]
#include "describe.hpp"

#include <muster/protocol/java_string.hpp>
#include <muster/sdk/text.hpp>

#include <algorithm>

#include "target.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using Described = DescribeResponse::DescribedGroup;
using TopicPartitions = DescribeResponse::TopicPartitions;

Described error_of(std::string_view group, Error error) {
  Described out;
  out.group_id = group;
  out.error_code = static_cast<std::int16_t>(error);
  return out;
}

// One answer; keeps the error texts that the message only views.
class Description {
 public:
  Description(const Context& context, const sdk::Request& request, const DescribeRequest& message)
      : context_(context),
        message_(message),
        who_{request.principal(), request.client_host()},
        owner_(request.owner()),
        metadata_(context.metadata()) {
    texts_.reserve(message.group_ids.size());
  }

  Described of(std::string_view id) {
    if (!context_.settings.enabled()) return error_of(id, Error::unsupported_version);
    if (!may(sdk::Operation::describe, sdk::Resource::group, id)) {
      return error_of(id, Error::group_authorization_failed);
    }
    if (id.empty()) return error_of(id, Error::invalid_group_id);
    const Group* group = context_.state.find(id);
    if (group == nullptr) return not_found(id);
    if (!may_see_topics(*group)) {
      Described out = error_of(id, Error::topic_authorization_failed);
      out.error_message =
          "The group has described topic(s) that the client is not authorized to describe.";
      return out;
    }
    return describe(id, *group);
  }

 private:
  bool may(sdk::Operation operation, sdk::Resource type, std::string_view name) const {
    return context_.host.allowed(who_, operation, type, name);
  }

  Described not_found(std::string_view id) {
    Described out = error_of(id, Error::group_id_not_found);
    out.error_message =
        texts_.emplace_back(owner_.empty() ? sdk::text("Group ", id, " not found.")
                                           : sdk::text("Group ", id, " is not a consumer group."));
    return out;
  }

  // Of the topics that the description would name.
  bool may_see_topics(const Group& group) const {
    std::vector<TopicId> seen;
    const auto add = [&](const auto& partitions) {
      for (const auto& one : partitions) {
        if (seen.empty() || seen.back() != one.topic) seen.push_back(one.topic);
      }
    };
    for (const auto& [id, member] : group.members()) {
      add(member.current.assigned);
      add(member.current.pending_revocation);
      add(group.target_of(id));
    }
    std::ranges::sort(seen);
    const auto repeated = std::ranges::unique(seen);
    seen.erase(repeated.begin(), repeated.end());
    return std::ranges::all_of(seen, [&](const TopicId& id) {
      const auto topic = metadata_.by_id(id.as<sdk::Uuid>());
      return !topic || may(sdk::Operation::describe, sdk::Resource::topic, topic->name());
    });
  }

  // Topics that no longer exist are left out.
  std::vector<TopicPartitions> named(const Partitions& partitions) const {
    auto topics = to_grouped<TopicPartitions>(partitions);
    std::erase_if(topics, [&](TopicPartitions& topic) {
      sdk::Uuid id;
      id.bytes = topic.topic_id.bytes;
      const auto found = metadata_.by_id(id);
      if (found) topic.topic_name = found->name();
      return !found;
    });
    return topics;
  }

  DescribeResponse::Member describe(std::string_view id, const Member& member,
                                    const Partitions& target) const {
    DescribeResponse::Member out;
    out.member_id = id;
    out.instance_id = member.metadata.instance_id;
    out.rack_id = member.metadata.rack_id;
    out.member_epoch = member.current.epoch;
    out.client_id = member.metadata.client_id;
    out.client_host = member.metadata.client_host;
    const TopicNames& names = member.metadata.names();
    out.subscribed_topic_names.assign(names.begin(), names.end());
    out.subscribed_topic_regex = member.metadata.topic_regex;
    out.assignment.topic_partitions = named(member.current.held());
    out.target_assignment.topic_partitions = named(target);
    out.member_type = member.metadata.classic ? 0 : 1;
    return out;
  }

  Described describe(std::string_view id, const Group& group) const {
    Described out;
    out.group_id = id;
    out.group_state = to_text(state_of(group));
    out.group_epoch = group.epoch;
    out.assignment_epoch = group.assignment_epoch;
    out.assignor_name =
        context_.settings.assignor_name(preferred_assignor(context_.settings, group));
    for (const auto& [member_id, member] : group.members()) {
      out.members.push_back(describe(member_id, member, group.target_of(member_id)));
    }
    // In Kafka's order. Within a slot the newest comes first there; ids stand in for age here.
    std::ranges::reverse(out.members);
    std::ranges::stable_sort(out.members, {}, [size = out.members.size()](const auto& member) {
      return protocol::timeline_slot(member.member_id, size);
    });
    if (message_.include_authorized_operations) out.authorized_operations = operations(id);
    return out;
  }

  // A bit for each operation that a group knows and the caller may do.
  std::int32_t operations(std::string_view group) const {
    std::int32_t bits = 0;
    for (const auto operation :
         {sdk::Operation::read, sdk::Operation::remove, sdk::Operation::describe,
          sdk::Operation::describe_configs, sdk::Operation::alter_configs}) {
      if (may(operation, sdk::Resource::group, group)) bits |= 1 << static_cast<int>(operation);
    }
    return bits;
  }

  const Context& context_;
  const DescribeRequest& message_;
  sdk::Principal who_;
  std::string_view owner_;
  sdk::Metadata metadata_;
  std::vector<std::string> texts_;
};

}  // namespace

void describe(const Context& context, const sdk::Request& request, const DescribeRequest& message,
              sdk::Decision& decision) {
  Description description(context, request, message);
  DescribeResponse response;
  for (const std::string_view id : message.group_ids) {
    response.groups.push_back(description.of(id));
  }
  protocol::Buffer body;
  protocol::encode(response, request.version(), body);
  decision.respond_owned(std::move(body));
}

protocol::Buffer refuse_description(const DescribeRequest& message, std::int16_t version,
                                    Error error) {
  DescribeResponse response;
  for (const std::string_view id : message.group_ids) {
    response.groups.push_back(error_of(id, error));
  }
  protocol::Buffer body;
  protocol::encode(response, version, body);
  return body;
}

}  // namespace muster::consumer
