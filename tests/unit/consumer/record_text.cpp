// Records as lines.
#include "record_text.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_key.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_value.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_regular_expression_key.hpp>
#include <muster/protocol/records/consumer_group_regular_expression_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_value.hpp>
#include <muster/protocol/records/group_metadata_value.hpp>

#include <stdexcept>

namespace muster::consumer {
namespace {

template <class Value>
Value value_of(const testing::Write& write) {
  auto value = protocol::decode_value<Value>(*write.value);
  if (!value) throw std::logic_error("a record's value cannot be read");
  return *value;
}

template <class Key>
Key key_of(const testing::Write& write) {
  auto key = protocol::decode_key<Key>(write.key);
  if (!key) throw std::logic_error("a record's key cannot be read");
  return *key;
}

// What stands behind the group id in the key.
std::string subject_of(const testing::Write& write) {
  switch (protocol::record_type(write.key).value_or(-1)) {
    case 5: return std::string(key_of<protocol::ConsumerGroupMemberMetadataKey>(write).member_id);
    case 7:
      return std::string(key_of<protocol::ConsumerGroupTargetAssignmentMemberKey>(write).member_id);
    case 8:
      return std::string(
          key_of<protocol::ConsumerGroupCurrentMemberAssignmentKey>(write).member_id);
    case 16:
      return std::string(
          key_of<protocol::ConsumerGroupRegularExpressionKey>(write).regular_expression);
    default: return {};
  }
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    text += text.empty() ? "" : ",";
    text += name;
  }
  return text;
}

std::string state_text(std::int8_t state) {
  switch (state) {
    case 0: return "stable";
    case 1: return "unrevoked";
    case 2: return "unreleased";
    default: return "state " + std::to_string(state);
  }
}

}  // namespace

std::string RecordText::time_of(std::int64_t ms) const {
  return ms == 0 ? "0" : "+" + std::to_string(ms - start_ms_);
}

std::string RecordText::member(const testing::Write& write) const {
  const auto value = value_of<protocol::ConsumerGroupMemberMetadataValue>(write);
  std::string text = " [" + listed(value.subscribed_topic_names) + "]";
  const auto add = [&](const char* name, std::optional<std::string_view> what) {
    if (what && !what->empty()) text += std::string(" ") + name + "=" + std::string(*what);
  };
  add("regex", value.subscribed_topic_regex);
  add("instance", value.instance_id);
  add("rack", value.rack_id);
  add("assignor", value.server_assignor);
  if (value.client_id != "client") add("client", value.client_id);
  if (value.client_host != "/127.0.0.1") add("host", value.client_host);
  if (value.rebalance_timeout_ms != 5000) {
    text += " timeout=" + std::to_string(value.rebalance_timeout_ms);
  }
  if (value.classic_member_metadata) text += " classic";
  return text;
}

std::string RecordText::current(const testing::Write& write) const {
  const auto value = value_of<protocol::ConsumerGroupCurrentMemberAssignmentValue>(write);
  std::string text = " at " + std::to_string(value.member_epoch) + " after " +
                     std::to_string(value.previous_member_epoch) + " " + state_text(value.state);
  const auto add = [&](const auto& topics) {
    for (const auto& topic : topics) {
      text += " " + topics_.name_of(topic.topic_id) + ":";
      for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
        text += (i == 0 ? "" : ",") + std::to_string(topic.partitions[i]) + "@" +
                std::to_string(topic.assignment_epochs->at(i));
      }
    }
  };
  add(value.assigned_partitions);
  if (!value.partitions_pending_revocation.empty()) text += " revoking";
  add(value.partitions_pending_revocation);
  return text;
}

std::string RecordText::classic(const testing::Write& write) const {
  const auto value = value_of<protocol::GroupMetadataValue>(write);
  std::string text = " at " + std::to_string(value.generation) + " by " +
                     std::string(value.protocol.value_or("null")) + " led by " +
                     std::string(value.leader.value_or("null"));
  if (value.current_state_timestamp != -1) {
    text += " since " + time_of(value.current_state_timestamp);
  }
  for (const auto& member : value.members) {
    protocol::Reader in(member.assignment);
    protocol::ConsumerProtocolAssignment assignment;
    assignment.read(in, in.read_int16());
    text += " " + std::string(member.member_id) + "[";
    for (const auto& topic : assignment.assigned_partitions) {
      text += std::string(topic.topic);
      for (const std::int32_t p : topic.partitions) text += ":" + std::to_string(p);
    }
    text += "]";
  }
  return text;
}

std::string RecordText::of(const testing::Write& write) const {
  const std::int16_t type = protocol::record_type(write.key).value_or(-1);
  std::string text = (write.value ? "" : "-") + std::to_string(type);
  if (const std::string subject = subject_of(write); !subject.empty()) text += " " + subject;
  if (!write.value) return text;
  switch (type) {
    case 2: return text + classic(write);
    case 3:
      return text + " epoch " +
             std::to_string(value_of<protocol::ConsumerGroupMetadataValue>(write).epoch);
    case 5: return text + member(write);
    case 6: {
      const auto value = value_of<protocol::ConsumerGroupTargetAssignmentMetadataValue>(write);
      return text + " epoch " + std::to_string(value.assignment_epoch) + " at " +
             time_of(value.assignment_timestamp);
    }
    case 7: {
      const auto value = value_of<protocol::ConsumerGroupTargetAssignmentMemberValue>(write);
      return text + " [" + topics_.text_of(value.topic_partitions) + "]";
    }
    case 8: return text + current(write);
    case 16: {
      const auto value = value_of<protocol::ConsumerGroupRegularExpressionValue>(write);
      return text + " [" + listed(value.topics) + "] at " + time_of(value.timestamp);
    }
    default: return text;
  }
}

std::vector<std::string> RecordText::of(const testing::Outcome& outcome) const {
  std::vector<std::string> lines;
  for (const testing::Write& write : outcome.records()) lines.push_back(of(write));
  return lines;
}

}  // namespace muster::consumer
