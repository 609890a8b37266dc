// What a member on the classic protocol makes of the answers it gets, as Kafka's client does.
#include "classic_member.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>

#include <algorithm>

namespace muster::simulation {
namespace {

using protocol::Error;

template <class Message>
std::optional<Message> versioned(host::Bytes bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const auto version = static_cast<std::int16_t>(bytes[0] << 8 | bytes[1]);
  const auto message = protocol::decode<Message>(bytes.subspan(2), version);
  if (!message) return std::nullopt;
  return *message;
}

template <class Grouped>
NamedPartitions ungrouped(const std::vector<Grouped>& topics) {
  NamedPartitions out;
  for (const Grouped& topic : topics) {
    for (const std::int32_t partition : topic.partitions) out.emplace(topic.topic, partition);
  }
  return out;
}

}  // namespace

void ClassicMember::good(std::int64_t sent_at) {
  last_good_sent_at_ = sent_at;
  unsure_since_.reset();
}

bool ClassicMember::on_error(std::int16_t code) {
  const auto error = static_cast<Error>(code);
  if (error == Error::none) return false;
  tell("is answered error " + std::to_string(code));
  if (is_failure(code)) {
    if (phase_ == Phase::syncing) phase_ = Phase::joining;
    return true;
  }
  switch (error) {
    case Error::rebalance_in_progress: rejoin(); break;
    case Error::unknown_member_id:
      member_id_.clear();
      start_over();
      break;
    case Error::illegal_generation: start_over(); break;
    default:
      around_.host.trace.violated(spec_.id + " is refused with error " + std::to_string(code));
  }
  return true;
}

void ClassicMember::on_joined(host::Bytes body, std::int64_t sent_at) {
  const auto answer = protocol::decode<protocol::JoinGroupResponse>(body, join_version_);
  if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
  if (static_cast<Error>(answer->error_code) == Error::member_id_required) {
    member_id_ = answer->member_id;
    return retry_in(0);
  }
  if (on_error(answer->error_code)) return;
  last_good_sent_at_ = sent_at;
  member_id_ = answer->member_id;
  generation_ = answer->generation_id;
  leads_ = answer->leader == answer->member_id;
  tell("has joined " + std::to_string(generation_) + (leads_ ? " and leads" : ""));
  led_.clear();
  for (const auto& member : answer->members) {
    const auto its = versioned<protocol::ConsumerProtocolSubscription>(member.metadata);
    if (!its) return around_.host.trace.violated(spec_.id + " cannot read a subscription");
    led_.push_back({std::string(member.member_id),
                    {its->topics.begin(), its->topics.end()},
                    is_eager() ? NamedPartitions() : ungrouped(its->owned_partitions),
                    its->generation_id});
  }
  planned_for_ = topics_of_group(led_);
  if (leads_ && !answer->skip_assignment) plan_ = assign_classic(led_, planned_for_);
  phase_ = Phase::syncing;
  retry_in(0);
}

std::map<std::string, std::uint32_t> ClassicMember::topics_of_group(
    const std::vector<ClassicSubscriber>& subscribers) const {
  std::map<std::string, std::uint32_t> counts;
  for (const ClassicSubscriber& subscriber : subscribers) {
    for (const std::string& name : subscriber.topics) {
      const auto topic = around_.topics.all().find(name);
      if (topic != around_.topics.all().end()) counts[name] = topic->second.partitions;
    }
  }
  return counts;
}

void ClassicMember::on_synced(host::Bytes body, std::int64_t sent_at) {
  const auto answer = protocol::decode<protocol::SyncGroupResponse>(body, 5);
  if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
  if (on_error(answer->error_code)) return;
  good(sent_at);
  phase_ = Phase::stable;
  retry_in(heartbeat_interval_ms);
  if (answer->assignment.empty()) return take({});
  const auto assignment = versioned<protocol::ConsumerProtocolAssignment>(answer->assignment);
  if (!assignment) return around_.host.trace.violated(spec_.id + " cannot read its assignment");
  take(with_ids(ungrouped(assignment->assigned_partitions)));
}

void ClassicMember::take(const Partitions& assigned) {
  tell("is assigned " + around_.topics.text(assigned));
  if (std::ranges::includes(assigned, owned())) return own(assigned);
  // What is taken from it is given up, and that is said by joining again.
  revoke(assigned, is_eager() ? Phase::stable : Phase::joining);
}

void ClassicMember::revoke(Partitions kept, Phase then) {
  kept_ = std::move(kept);
  then_ = then;
  revoked_at_ = now() + time_to_revoke();
}

void ClassicMember::finish_revocation() {
  own(*std::exchange(kept_, std::nullopt));
  if (then_ == phase_) return;
  phase_ = then_;
  next_at_ = now();
}

void ClassicMember::on_beat(std::int16_t code, std::int64_t sent_at) {
  if (phase_ != Phase::stable) return;
  if (static_cast<Error>(code) == Error::rebalance_in_progress) last_good_sent_at_ = sent_at;
  if (on_error(code)) return;
  good(sent_at);
  retry_in(heartbeat_interval_ms);
}

void ClassicMember::rejoin() {
  if (is_eager() && !owned().empty()) {
    if (!kept_ || then_ != Phase::joining) revoke({}, Phase::joining);
    // Meanwhile it heartbeats.
    phase_ = Phase::stable;
    return retry_in(heartbeat_interval_ms);
  }
  if (kept_) {  // joins once that is done
    then_ = Phase::joining;
    return retry_in(heartbeat_interval_ms);
  }
  Partitions wanted = owned();
  std::erase_if(wanted, [&](const TopicPartition& one) {
    return !subscribes(around_.topics.name_of(one.first));
  });
  own(std::move(wanted));
  phase_ = Phase::joining;
  next_at_ = now();
}

void ClassicMember::start_over() {
  own({});
  kept_.reset();
  leads_ = false;
  plan_.clear();
  generation_ = no_generation;
  unsure_since_.reset();
  phase_ = Phase::joining;
  retry_in(around_.random.between(0, 200));
}

}  // namespace muster::simulation
