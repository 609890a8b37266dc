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

bool ClassicMember::on_error(std::int16_t code) {
  const auto error = static_cast<Error>(code);
  if (error == Error::none) return false;
  tell("is answered error " + std::to_string(code));
  if (is_failure(code)) {
    if (phase_ != Phase::stable) joins_again_ = true;
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
    case Error::fenced_instance_id:
      // That it took the place of its instance was not stored yet when the shard changed hands:
      // then the application has to start it anew.
      if (named_by_ == life_of_shard()) {
        around_.host.trace.violated(spec_.id + " is fenced by nobody");
      }
      member_id_.clear();
      start_over();
      break;
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
    named_by_ = served_by_;
    return retry_in(0);
  }
  if (on_error(answer->error_code)) return;
  good_sent_at_ = sent_at;
  missed_one_ = missed_one_ || (!owned().empty() && answer->generation_id > generation_ + 1);
  if (!joins_again_) heard_sent_at_ = sent_at;
  if (member_id_ != answer->member_id) named_by_ = served_by_;
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
  // Whoever comes back to lead does not know what the plan was made for, and makes one soon.
  planned_for_.reset();
  if (leads_ && !answer->skip_assignment) {
    planned_for_ = topics_of_group(led_);
    std::map<std::string, std::uint32_t> counts;
    for (const auto& [name, topic] : *planned_for_) counts[name] = topic.partitions;
    plan_ = assign_classic(led_, counts);
  }
  phase_ = Phase::syncing;
  retry_in(0);
}

std::map<std::string, Topics::Topic> ClassicMember::topics_of_group(
    const std::vector<ClassicSubscriber>& subscribers) const {
  std::map<std::string, Topics::Topic> topics;
  for (const ClassicSubscriber& subscriber : subscribers) {
    for (const std::string& name : subscriber.topics) {
      const auto topic = around_.topics.all().find(name);
      if (topic != around_.topics.all().end()) topics.insert(*topic);
    }
  }
  return topics;
}

void ClassicMember::on_synced(host::Bytes body, std::int64_t sent_at) {
  const auto answer = protocol::decode<protocol::SyncGroupResponse>(body, 5);
  if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
  if (on_error(answer->error_code)) return;
  good_sent_at_ = sent_at;
  phase_ = Phase::stable;
  retry_in(heartbeat_interval_ms);
  if (answer->assignment.empty()) return take({});
  const auto assignment = versioned<protocol::ConsumerProtocolAssignment>(answer->assignment);
  if (!assignment) return around_.host.trace.violated(spec_.id + " cannot read its assignment");
  take(with_ids(ungrouped(assignment->assigned_partitions)));
  // Nobody else hears that an instance is back. It may subscribe otherwise than before, and others
  // may wait for what it owned then: all that comes out when it joins once more.
  if (std::exchange(is_fresh_, false) && spec_.instance) rejoin();
}

void ClassicMember::take(const Partitions& assigned) {
  tell("is assigned " + around_.topics.text(assigned));
  if (std::ranges::includes(assigned, owned())) {
    missed_one_ = false;
    return own(assigned);
  }
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
  missed_one_ = false;
  if (then_ == phase_) return;
  phase_ = then_;
  next_at_ = now();
}

void ClassicMember::on_beat(std::int16_t code, std::int64_t sent_at) {
  if (phase_ != Phase::stable) return;
  if (static_cast<Error>(code) == Error::rebalance_in_progress) {
    heard_sent_at_ = sent_at;
    joins_again_ = false;
  }
  if (on_error(code)) return;
  retry_in(heartbeat_interval_ms);
  // While it loads a coordinator says yes to everybody.
  if (!served_by_) return;
  heard_sent_at_ = good_sent_at_ = sent_at;
  joins_again_ = false;
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
  // Under a new id it is a new member.
  joins_again_ = !member_id_.empty();
  own({});
  missed_one_ = false;
  kept_.reset();
  leads_ = false;
  plan_.clear();
  generation_ = no_generation;
  phase_ = Phase::joining;
  retry_in(around_.random.between(0, 200));
}

}  // namespace muster::simulation
