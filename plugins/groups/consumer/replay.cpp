// Records and notes into memory: the only writer. Live records come in any order on load. [shard]
#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_key.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_value.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_partition_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_partition_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_regular_expression_key.hpp>
#include <muster/protocol/records/consumer_group_regular_expression_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_value.hpp>

#include <algorithm>
#include <bit>

#include "state.hpp"

namespace muster::consumer {
namespace {

using CurrentValue = protocol::ConsumerGroupCurrentMemberAssignmentValue;
using MemberValue = protocol::ConsumerGroupMemberMetadataValue;
using TargetValue = protocol::ConsumerGroupTargetAssignmentMemberValue;

[[noreturn]] void corrupt(std::string_view what) {
  throw sdk::Failure(MUSTER_CORRUPT, sdk::text("consumer group record: ", what));
}

template <class Key>
Key key_of(const sdk::Replayed& replayed) {
  auto key = protocol::decode_key<Key>(replayed.key);
  if (!key) corrupt(key.error().what);
  return *key;
}

template <class Value>
Value value_of(const sdk::Replayed& replayed) {
  auto value = protocol::decode_value<Value>(*replayed.value);
  if (!value) corrupt(value.error().what);
  return std::move(*value);
}

template <class Entries>
void check_partitions(const Entries& partitions) {
  for (const auto& one : partitions) {
    if (!is_legal(one.partition)) corrupt("partition out of range");
  }
}

std::optional<std::string> owned(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

MemberMetadata to_metadata(const MemberValue& value) {
  MemberMetadata metadata;
  metadata.instance_id = owned(value.instance_id);
  metadata.rack_id = owned(value.rack_id);
  metadata.client_id = value.client_id;
  metadata.client_host = value.client_host;
  metadata.topic_regex = owned(value.subscribed_topic_regex);
  metadata.rebalance_timeout_ms = value.rebalance_timeout_ms;
  metadata.server_assignor = owned(value.server_assignor);
  if (const auto& classic = value.classic_member_metadata) {
    auto& kept = metadata.classic.emplace();
    kept.session_timeout_ms = classic->session_timeout_ms;
    for (const auto& protocol : classic->supported_protocols) {
      kept.supported_protocols.push_back(
          {std::string(protocol.name), {protocol.metadata.begin(), protocol.metadata.end()}});
    }
  }
  return metadata;
}

// Records from before assignment epochs count from the member's epoch.
AssignedPartitions to_assigned(const std::vector<CurrentValue::TopicPartitions>& topics,
                               std::int32_t member_epoch) {
  AssignedPartitions out;
  for (const auto& topic : topics) {
    const TopicId id = TopicId::of(topic.topic_id);
    const auto& epochs = topic.assignment_epochs;
    const bool has_epochs = epochs && epochs->size() == topic.partitions.size();
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
      const std::int32_t epoch = has_epochs ? (*epochs)[i] : std::max(member_epoch, 0);
      out.push_back({id, topic.partitions[i], epoch});
    }
  }
  normalise(out);
  check_partitions(out);
  return out;
}

MemberState to_state(std::int8_t value) {
  return value >= 0 && value <= 2 ? static_cast<MemberState>(value) : MemberState::unknown;
}

CurrentAssignment to_current(const CurrentValue& value) {
  CurrentAssignment current;
  current.epoch = value.member_epoch;
  current.previous_epoch = value.previous_member_epoch;
  current.state = to_state(value.state);
  current.assigned = to_assigned(value.assigned_partitions, value.member_epoch);
  current.pending_revocation = to_assigned(value.partitions_pending_revocation, value.member_epoch);
  return current;
}

}  // namespace

// One record on its way into the state.
class Replay {
 public:
  Replay(State& state, const sdk::Replayed& replayed, sdk::Directory& directory)
      : state_(state), in_(replayed), directory_(directory) {}

  void member_metadata() {
    const auto key = key_of<protocol::ConsumerGroupMemberMetadataKey>(in_);
    if (in_.value) {
      const auto value = value_of<MemberValue>(in_);
      return own(key.group_id)
          .put_metadata(key.member_id, to_metadata(value), value.subscribed_topic_names);
    }
    Group* group = known(key.group_id);
    const Member* member = group == nullptr ? nullptr : group->find_member(key.member_id);
    if (member == nullptr) return;
    if (member->current.epoch != leave_epoch || group->targets().contains(key.member_id)) {
      corrupt("a member is removed that still has an assignment");
    }
    group->drop_member(key.member_id);
  }

  void current() {
    const auto key = key_of<protocol::ConsumerGroupCurrentMemberAssignmentKey>(in_);
    if (in_.value) {
      CurrentAssignment current = to_current(value_of<CurrentValue>(in_));
      if (!own(key.group_id).put_current(key.member_id, std::move(current))) {
        corrupt("two members hold a partition");
      }
    } else if (Group* group = known(key.group_id)) {
      group->drop_current(key.member_id);
    }
  }

  void target() {
    const auto key = key_of<protocol::ConsumerGroupTargetAssignmentMemberKey>(in_);
    if (in_.value) {
      Partitions target = to_partitions(value_of<TargetValue>(in_).topic_partitions);
      check_partitions(target);
      own(key.group_id).put_target(key.member_id, std::move(target));
    } else if (Group* group = known(key.group_id)) {
      group->drop_target(key.member_id);
    }
  }

  void target_metadata() {
    const auto key = key_of<protocol::ConsumerGroupTargetAssignmentMetadataKey>(in_);
    if (in_.value) {
      const auto value = value_of<protocol::ConsumerGroupTargetAssignmentMetadataValue>(in_);
      Group& group = own(key.group_id);
      group.assignment_epoch = value.assignment_epoch;
      group.assignment_timestamp_ms = value.assignment_timestamp;
    } else if (Group* group = known(key.group_id)) {
      if (!group->targets().empty()) corrupt("an assignment is removed that still has members");
      group->assignment_epoch = -1;
      group->assignment_timestamp_ms = 0;
    }
  }

  void group_epoch() {
    const auto key = key_of<protocol::ConsumerGroupMetadataKey>(in_);
    if (in_.value) {
      const auto value = value_of<protocol::ConsumerGroupMetadataValue>(in_);
      Group& group = own(key.group_id);
      group.epoch = value.epoch;
      group.metadata_hash = std::bit_cast<std::uint64_t>(value.metadata_hash);
      return;
    }
    const Group* group = known(key.group_id);
    if (group == nullptr) return;
    if (!group->members().empty() || !group->targets().empty() || group->assignment_epoch != -1) {
      corrupt("a group is removed that still has members or an assignment");
    }
    for (const auto& [token, waiting] : group->waiting) state_.waiting_.erase(token);
    state_.groups_.erase(state_.groups_.find(key.group_id));
    directory_.disown(key.group_id);
  }

  void partition_metadata() {
    const auto key = key_of<protocol::ConsumerGroupPartitionMetadataKey>(in_);
    if (in_.value) {
      static_cast<void>(value_of<protocol::ConsumerGroupPartitionMetadataValue>(in_));
      own(key.group_id).has_partition_metadata = true;
    } else if (Group* group = known(key.group_id)) {
      group->has_partition_metadata = false;
    }
  }

  void regex() {
    const auto key = key_of<protocol::ConsumerGroupRegularExpressionKey>(in_);
    if (in_.value) {
      const auto value = value_of<protocol::ConsumerGroupRegularExpressionValue>(in_);
      own(key.group_id)
          .put_regex(key.regular_expression,
                     {to_topic_names(value.topics), value.version, value.timestamp});
    } else if (Group* group = known(key.group_id)) {
      group->drop_regex(key.regular_expression);
    }
  }

 private:
  Group* known(std::string_view id) {
    const auto found = state_.groups_.find(id);
    return found == state_.groups_.end() ? nullptr : found->second.get();
  }
  Group& own(std::string_view id) {
    if (Group* group = known(id)) return *group;
    directory_.own(id);
    auto group = std::make_unique<Group>(id, &state_.by_topic_);
    return *state_.groups_.try_emplace(std::string(id), std::move(group)).first->second;
  }

  State& state_;
  const sdk::Replayed& in_;
  sdk::Directory& directory_;
};

const Group* State::find(std::string_view group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? nullptr : found->second.get();
}

const std::string* State::waiting_at(std::uint64_t token) const {
  const auto found = waiting_.find(token);
  return found == waiting_.end() ? nullptr : &found->second;
}

void State::replay(const sdk::Replayed& replayed, sdk::Directory& directory) {
  if (replayed.kind == sdk::Kind::note) return replay_note(replayed);
  Replay replay(*this, replayed, directory);
  switch (protocol::record_type(replayed.key).value_or(-1)) {
    case protocol::ConsumerGroupMetadataKey::record_type: return replay.group_epoch();
    case protocol::ConsumerGroupPartitionMetadataKey::record_type:
      return replay.partition_metadata();
    case protocol::ConsumerGroupMemberMetadataKey::record_type: return replay.member_metadata();
    case protocol::ConsumerGroupTargetAssignmentMetadataKey::record_type:
      return replay.target_metadata();
    case protocol::ConsumerGroupTargetAssignmentMemberKey::record_type: return replay.target();
    case protocol::ConsumerGroupCurrentMemberAssignmentKey::record_type: return replay.current();
    case protocol::ConsumerGroupRegularExpressionKey::record_type: return replay.regex();
    default: corrupt("unknown type");
  }
}

void State::replay_note(const sdk::Replayed& replayed) {
  std::optional<protocol::Bytes> value;
  if (replayed.value) value = *replayed.value;
  std::optional<Note> note = read_note(replayed.key, value);
  if (!note) corrupt("unknown note");
  if (const auto* topics = std::get_if<NewTopicsNote>(&*note)) {
    new_topics_version_ = topics->version;
  } else if (auto* of_group = std::get_if<GroupNote>(&*note)) {
    const auto found = groups_.find(of_group->group);
    if (found != groups_.end()) found->second->notes = std::move(of_group->notes);
  } else if (const auto* rejoin = std::get_if<RejoinNote>(&*note)) {
    const auto found = groups_.find(rejoin->group);
    if (found != groups_.end()) found->second->put_rejoin(rejoin->member, rejoin->asked);
  } else if (auto* waiting = std::get_if<WaitingNote>(&*note)) {
    const auto found = groups_.find(waiting->group);
    if (found == groups_.end()) return;
    found->second->waiting.erase(waiting->token);
    waiting_.erase(waiting->token);
    if (!waiting->waiting) return;
    found->second->waiting.emplace(waiting->token, std::move(*waiting->waiting));
    waiting_.emplace(waiting->token, waiting->group);
  }
}

}  // namespace muster::consumer
