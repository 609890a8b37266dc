// What a member on the classic protocol sends, and when.
#include "classic_member.hpp"

#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>

#include <algorithm>

namespace muster::simulation {
namespace {

constexpr std::int16_t subscription_version = 3;
constexpr const char* protocol_type = "consumer";

template <class Message>
host::Buffer with_version(const Message& message, std::int16_t version) {
  host::Buffer out{static_cast<std::uint8_t>(version >> 8), static_cast<std::uint8_t>(version)};
  protocol::encode(message, version, out);
  return out;
}

template <class Grouped>
std::vector<Grouped> grouped(const NamedPartitions& partitions) {
  std::vector<Grouped> out;
  for (const auto& [topic, partition] : partitions) {
    if (out.empty() || out.back().topic != topic) out.emplace_back().topic = topic;
    out.back().partitions.push_back(partition);
  }
  return out;
}

}  // namespace

// Before version 9 a static leader that comes back is not told that it leads, and sees no topics.
ClassicMember::ClassicMember(Surroundings& around, MemberSpec spec)
    : Member(around, std::move(spec)),
      join_version_(static_cast<std::int16_t>(spec_.instance ? 9 : around.random.between(5, 9))) {}

// The coordinator waits in a rebalance, and before it for a sign of life.
std::int64_t ClassicMember::sure_until() const {
  if (missed_one_) return 0;
  return std::min(heard_sent_at_ + session_timeout_ms, good_sent_at_ + spec_.rebalance_timeout_ms);
}

NamedPartitions ClassicMember::named(const Partitions& partitions) const {
  NamedPartitions out;
  for (const auto& [id, partition] : partitions) {
    out.emplace(around_.topics.name_of(id), partition);
  }
  return out;
}

Partitions ClassicMember::with_ids(const NamedPartitions& partitions) const {
  Partitions out;
  for (const auto& [name, partition] : partitions) {
    const auto topic = around_.topics.all().find(name);
    if (topic != around_.topics.all().end()) out.emplace(topic->second.id, partition);
  }
  return out;
}

host::Buffer ClassicMember::subscription() const {
  protocol::ConsumerProtocolSubscription message;
  message.topics.assign(spec_.topics.begin(), spec_.topics.end());
  const NamedPartitions owned_by_name = named(owned());
  message.owned_partitions =
      grouped<protocol::ConsumerProtocolSubscription::TopicPartition>(owned_by_name);
  message.generation_id = generation_;
  return with_version(message, subscription_version);
}

void ClassicMember::act() {
  if (phase_ == Phase::joining) return join();
  if (phase_ == Phase::syncing) return sync();
  // Its partitions are not what they should be any more.
  if (leads_ && !kept_ && topics_of_group(led_) != planned_for_) {
    tell("leads and sees other topics");
    return rejoin();
  }
  beat();
}

void ClassicMember::join() {
  protocol::JoinGroupRequest message;
  message.group_id = spec_.group;
  message.session_timeout_ms = session_timeout_ms;
  message.rebalance_timeout_ms = spec_.rebalance_timeout_ms;
  message.member_id = member_id_;
  message.group_instance_id = spec_.instance;
  message.protocol_type = protocol_type;
  const host::Buffer metadata = subscription();
  message.protocols.push_back({is_eager() ? "range" : "cooperative-sticky", metadata});
  leads_ = false;
  plan_.clear();
  // It may have been removed; where it is taken back at once it does not hear of that.
  if (!owned().empty() && !is_sure()) missed_one_ = true;
  tell("joins as '" + member_id_ + "' owning " + around_.topics.text(owned()));
  ask(message, join_version_, [this, at = now()](host::Bytes body) { on_joined(body, at); });
}

void ClassicMember::sync() {
  protocol::SyncGroupRequest message;
  message.group_id = spec_.group;
  message.member_id = member_id_;
  message.generation_id = generation_;
  message.group_instance_id = spec_.instance;
  message.protocol_type = protocol_type;
  message.protocol_name = is_eager() ? "range" : "cooperative-sticky";
  std::vector<host::Buffer> assignments;
  assignments.reserve(plan_.size());
  for (const auto& [id, partitions] : plan_) {
    protocol::ConsumerProtocolAssignment assignment;
    assignment.assigned_partitions =
        grouped<protocol::ConsumerProtocolAssignment::TopicPartition>(partitions);
    assignments.push_back(with_version(assignment, subscription_version));
    message.assignments.push_back({id, assignments.back()});
  }
  tell("syncs at " + std::to_string(generation_));
  ask(message, 5, [this, at = now()](host::Bytes body) { on_synced(body, at); });
}

void ClassicMember::beat() {
  protocol::HeartbeatRequest message;
  message.group_id = spec_.group;
  message.member_id = member_id_;
  message.generation_id = generation_;
  message.group_instance_id = spec_.instance;
  ask(message, 4, [this, at = now()](host::Bytes body) {
    const auto answer = protocol::decode<protocol::HeartbeatResponse>(body, 4);
    if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
    on_beat(answer->error_code, at);
  });
}

// What was asked may have been done: it is asked again from the start.
void ClassicMember::on_new_connection() {
  if (phase_ != Phase::stable) joins_again_ = true;
  if (phase_ == Phase::syncing) phase_ = Phase::joining;
}

void ClassicMember::leave(bool comes_back) {
  end();
  // A static member that closes says nothing.
  if (comes_back && spec_.instance) {
    tell("is gone for a while");
    return drop_connection();
  }
  tell("leaves");
  if (member_id_.empty()) return;
  protocol::LeaveGroupRequest message;
  message.group_id = spec_.group;
  message.members.push_back({member_id_, spec_.instance, "simulated"});
  tell_host(message, 5);
}

void ClassicMember::subscribe(std::vector<std::string> topics) {
  spec_.topics = std::move(topics);
  tell("subscribes otherwise");
  if (phase_ == Phase::stable && !kept_) rejoin();
}

}  // namespace muster::simulation
