// What a member sends, and when.
#include "member.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>

#include <re2/re2.h>

#include <algorithm>

namespace muster::simulation {
namespace {

using Beat = protocol::ConsumerGroupHeartbeatRequest;

constexpr std::int64_t never = INT64_MAX;
constexpr std::int64_t patience_ms = 12000;  // for an answer, before a new connection is tried

}  // namespace

Member::Member(Surroundings& around, MemberSpec spec)
    : around_(around),
      spec_(std::move(spec)),
      connection_(around.network.connect(spec_.id)),
      next_beat_at_(now()) {}

std::int64_t Member::sure_until() const {
  std::int64_t until = last_good_sent_at_ + session_timeout_ms;
  for (const auto& since : {unsure_since_, revoking_since_}) {
    if (since) until = std::min(until, *since + spec_.rebalance_timeout_ms);
  }
  return until;
}

bool Member::subscribes(const std::string& topic) const {
  if (std::ranges::find(spec_.topics, topic) != spec_.topics.end()) return true;
  return spec_.regex && RE2::FullMatch(topic, *spec_.regex);
}

std::int64_t Member::next_due() const {
  if (is_gone_) return never;
  std::int64_t due = pending_ ? revoked_at_ : never;
  due = std::min(due, beat_sent_at_ ? *beat_sent_at_ + patience_ms : next_beat_at_);
  return std::max(due, stalled_until_);
}

bool Member::step() {
  if (next_due() > now()) return false;
  if (pending_ && revoked_at_ <= now()) {
    finish_revocation();
  } else if (beat_sent_at_) {
    tell("waited too long");
    lose_connection();
  } else if (looks_for_coordinator_) {
    find_coordinator();
  } else {
    beat();
  }
  return true;
}

void Member::own(Partitions partitions) {
  if (partitions == owned_) return;
  owned_ = std::move(partitions);
  ++around_.ownership_changes;
}

// Gives up what it must, then takes what is new, then says so.
void Member::finish_revocation() {
  own(*pending_);
  pending_.reset();
  tells_owned_ = true;
  next_beat_at_ = now();
  tell("owns " + around_.topics.text(owned_));
}

void Member::beat() {
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
    message.topic_partitions = to_grouped<Beat::TopicPartitions>(owned_);
  }
  Sent sent{now(), std::nullopt};
  if (message.topic_partitions) sent.told = owned_;
  sends_everything_ = subscription_changed_ = tells_owned_ = false;
  beat_sent_at_ = now();
  if (!unsure_since_) unsure_since_ = now();
  tell("beats at " + std::to_string(epoch_) +
       (sent.told ? " owning " + around_.topics.text(owned_) : ""));
  around_.network.ask(connection_, message, 1,
                      [this, sent](host::Bytes body) { on_beat(body, sent); });
}

void Member::find_coordinator() {
  protocol::FindCoordinatorRequest message;
  message.coordinator_keys = {spec_.group};
  beat_sent_at_ = now();
  around_.network.ask(connection_, message, 4, [this](host::Bytes) {
    beat_sent_at_.reset();
    looks_for_coordinator_ = false;
    retry_in(around_.random.between(1, 500));
  });
}

void Member::retry_in(std::int64_t ms) {
  sends_everything_ = true;
  next_beat_at_ = now() + ms;
}

void Member::lose_connection() {
  around_.network.drop(connection_);
  if (is_gone_) return;
  connection_ = around_.network.connect(spec_.id);
  beat_sent_at_.reset();
  tell("has a new connection");
  retry_in(around_.random.between(0, 300));
}

// Its partitions are free at once, whether or not anybody hears of it.
void Member::leave(std::int32_t epoch) {
  own({});
  is_gone_ = true;
  if (epoch_ == join_epoch && !beat_sent_at_) return;
  tell(epoch == static_leave_epoch ? "leaves for a while" : "leaves");
  Beat message;
  message.group_id = spec_.group;
  message.member_id = spec_.id;
  message.member_epoch = epoch;
  message.instance_id = spec_.instance;
  around_.network.ask(connection_, message, 1, [](host::Bytes) {});
}

void Member::crash() {
  tell("crashes");
  own({});
  is_gone_ = true;
  around_.network.drop(connection_);
}

void Member::subscribe(std::vector<std::string> topics) {
  spec_.topics = std::move(topics);
  subscription_changed_ = true;
  next_beat_at_ = now();
  std::string names;
  for (const std::string& topic : spec_.topics) names += " " + topic;
  tell("subscribes" + names);
}

void Member::commit() {
  std::map<TopicPartition, std::int64_t> offsets;
  for (const TopicPartition& one : owned_) {
    if (around_.topics.exists(one.first) && around_.random.below(2) == 0) {
      offsets[one] = around_.ledger.new_offset();
    }
  }
  if (offsets.empty() || !is_joined()) return;
  const std::int16_t version = around_.random.below(2) == 0 ? 9 : 10;
  protocol::OffsetCommitRequest message;
  message.group_id = spec_.group;
  message.member_id = spec_.id;
  message.generation_id_or_member_epoch = epoch_;
  message.group_instance_id = spec_.instance;
  std::map<protocol::Uuid, std::string> names;
  for (const auto& [one, offset] : offsets) {
    if (message.topics.empty() || message.topics.back().topic_id != one.first) {
      auto& topic = message.topics.emplace_back();
      topic.topic_id = one.first;
      topic.name = names[one.first] = around_.topics.name_of(one.first);
    }
    auto& partition = message.topics.back().partitions.emplace_back();
    partition.partition_index = one.second;
    partition.committed_offset = offset;
  }
  around_.network.ask(
      connection_, message, version,
      [this, version, offsets](host::Bytes body) { on_commit(body, version, offsets); },
      [this, offsets] {
        for (const auto& [one, offset] : offsets) {
          around_.ledger.served({spec_.group, around_.topics.name_of(one.first), one.second},
                                offset);
        }
      });
}

}  // namespace muster::simulation
