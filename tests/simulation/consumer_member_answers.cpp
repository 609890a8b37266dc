// What a member makes of the answers it gets: section 10 of Kafka's client behaviour.
#include "member.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>

#include <algorithm>

namespace muster::simulation {
namespace {

using protocol::Error;

bool is_failure(Error error) {
  return error == Error::coordinator_load_in_progress ||
         error == Error::coordinator_not_available || error == Error::not_coordinator;
}

}  // namespace

void Member::on_beat(host::Bytes body, const Sent& sent) {
  beat_sent_at_.reset();
  if (is_gone_) return;
  const auto answer = protocol::decode<protocol::ConsumerGroupHeartbeatResponse>(body, 1);
  if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
  if (answer->error_code != 0) {
    tell("is answered error " + std::to_string(answer->error_code) + " " +
         std::string(answer->error_message.value_or("")));
    return on_error(answer->error_code);
  }
  if (answer->member_id != spec_.id) around_.host.trace.violated(spec_.id + " is called otherwise");
  std::optional<Partitions> assigned;
  if (answer->assignment) assigned = to_partitions(answer->assignment->topic_partitions);
  next_beat_at_ = now() + answer->heartbeat_interval_ms;
  on_success(answer->member_epoch, sent, assigned);
}

void Member::on_success(std::int32_t epoch, const Sent& sent,
                        const std::optional<Partitions>& assigned) {
  tell("is at " + std::to_string(epoch) +
       (assigned ? " assigned " + around_.topics.text(*assigned) : ""));
  if (epoch < highest_epoch_) {
    around_.host.trace.violated(spec_.id + " fell back from epoch " +
                                std::to_string(highest_epoch_));
  }
  if (epoch_ == join_epoch && !assigned) {
    around_.host.trace.violated(spec_.id + " joined without an assignment");
  }
  highest_epoch_ = epoch;
  epoch_ = epoch;
  last_good_sent_at_ = sent.at;
  const std::int64_t since = unsure_since_.value_or(sent.at);
  unsure_since_.reset();
  // What it said it owns was all that it may keep: the coordinator waits no longer.
  if (sent.told && std::ranges::includes(assigned_, *sent.told)) revoking_since_.reset();
  if (assigned) take(*assigned);
  if (!std::ranges::includes(assigned_, owned_) && !revoking_since_) revoking_since_ = since;
}

void Member::take(const Partitions& assigned) {
  assigned_ = assigned;
  if (assigned == owned_) {
    pending_.reset();
    return;
  }
  const bool must_revoke = !std::ranges::includes(assigned, owned_);
  if (!pending_) {
    revoked_at_ = now();
    if (must_revoke) {
      revoked_at_ += around_.random.chance(50) ? around_.random.between(5000, 40000)
                                               : around_.random.between(0, 1500);
    }
  }
  pending_ = assigned;
  if (!must_revoke) finish_revocation();
}

void Member::rejoin() {
  own({});
  assigned_.clear();
  pending_.reset();
  revoking_since_.reset();
  unsure_since_.reset();
  epoch_ = join_epoch;
  retry_in(around_.random.between(0, 200));
}

void Member::on_error(std::int16_t code) {
  const auto error = static_cast<Error>(code);
  if (is_failure(error)) {
    looks_for_coordinator_ = error != Error::coordinator_load_in_progress;
    return retry_in(around_.random.between(10, 1000));
  }
  switch (error) {
    case Error::unknown_member_id:
    case Error::fenced_member_epoch: return rejoin();
    case Error::unreleased_instance_id: return retry_in(around_.random.between(500, 5000));
    default:
      around_.host.trace.violated(spec_.id + " is refused with error " + std::to_string(code));
  }
}

void Member::on_commit(host::Bytes body, std::int16_t version,
                       const std::map<TopicPartition, std::int64_t>& offsets) {
  const auto answer = protocol::decode<protocol::OffsetCommitResponse>(body, version);
  if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
  std::map<std::pair<std::string, std::int32_t>, Error> errors;
  for (const auto& topic : answer->topics) {
    const std::string name = version >= 10 ? around_.topics.name_of(topic.topic_id)
                                           : std::string(topic.name);
    for (const auto& one : topic.partitions) {
      errors[{name, one.partition_index}] = static_cast<Error>(one.error_code);
    }
  }
  for (const auto& [one, offset] : offsets) {
    const OffsetKey key{spec_.group, around_.topics.name_of(one.first), one.second};
    const auto error = errors.find({key.topic, key.partition});
    if (error == errors.end()) {
      around_.host.trace.violated(spec_.id + " is not told about its commit of " + key.topic);
    } else if (error->second == Error::none) {
      tell("has committed " + key.topic + "-" + std::to_string(key.partition) + " at " +
           std::to_string(offset));
      around_.ledger.confirmed(key, offset);
    } else if (!is_failure(error->second)) {
      around_.ledger.refused(key, offset);
    }
  }
}

}  // namespace muster::simulation
