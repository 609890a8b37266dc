// What a member on the consumer protocol sends, and when.
#include "consumer_member.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>

#include <algorithm>

namespace muster::simulation {

using Beat = protocol::ConsumerGroupHeartbeatRequest;

std::int64_t ConsumerMember::sure_until() const {
  std::int64_t until = last_good_sent_at_ + session_timeout_ms;
  for (const auto& since : {unsure_since_, revoking_since_}) {
    if (since) until = std::min(until, *since + spec_.rebalance_timeout_ms);
  }
  return until;
}

// Gives up what it must, then takes what is new, then says so.
void ConsumerMember::finish_revocation() {
  own(*pending_);
  pending_.reset();
  tells_owned_ = true;
  next_at_ = now();
}

void ConsumerMember::act() {
  Beat message;
  message.group_id = spec_.group;
  message.member_id = spec_.id;
  message.member_epoch = epoch_;
  message.instance_id = spec_.instance;
  const bool everything = sends_everything_ || epoch_ == join_epoch;
  if (everything || subscription_changed_) {
    message.subscribed_topic_names.emplace(spec_.topics.begin(), spec_.topics.end());
  }
  if (everything) {
    message.rebalance_timeout_ms = spec_.rebalance_timeout_ms;
    message.subscribed_topic_regex = spec_.regex;
    message.server_assignor = spec_.assignor;
  }
  if (everything || tells_owned_) {
    message.topic_partitions = to_grouped<Beat::TopicPartitions>(owned());
  }
  Sent sent{now(), std::nullopt};
  if (message.topic_partitions) sent.told = owned();
  sends_everything_ = subscription_changed_ = tells_owned_ = false;
  if (!unsure_since_) unsure_since_ = now();
  tell("beats at " + std::to_string(epoch_) +
       (sent.told ? " owning " + around_.topics.text(owned()) : ""));
  ask(message, 1, [this, sent](host::Bytes body) { on_beat(body, sent); });
}

// Its partitions are free at once, whether or not anybody hears of it.
void ConsumerMember::leave(bool comes_back) {
  end();
  if (epoch_ == join_epoch && !sent_at_) return;
  tell(comes_back ? "leaves for a while" : "leaves");
  Beat message;
  message.group_id = spec_.group;
  message.member_id = spec_.id;
  message.member_epoch = comes_back ? static_leave_epoch : leave_epoch;
  message.instance_id = spec_.instance;
  tell_host(message, 1);
}

void ConsumerMember::subscribe(std::vector<std::string> topics) {
  spec_.topics = std::move(topics);
  subscription_changed_ = true;
  next_at_ = now();
  std::string names;
  for (const std::string& topic : spec_.topics) names += " " + topic;
  tell("subscribes" + names);
}

}  // namespace muster::simulation
