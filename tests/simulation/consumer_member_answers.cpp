// What a member on the consumer protocol makes of the answers it gets, as Kafka's client does.
#include "consumer_member.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

#include <algorithm>

namespace muster::simulation {

using protocol::Error;

void ConsumerMember::on_beat(host::Bytes body, const Sent& sent) {
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
  next_at_ = now() + answer->heartbeat_interval_ms;
  on_success(answer->member_epoch, sent, assigned);
}

void ConsumerMember::on_success(std::int32_t epoch, const Sent& sent,
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
  if (!std::ranges::includes(assigned_, owned()) && !revoking_since_) revoking_since_ = since;
}

void ConsumerMember::take(const Partitions& assigned) {
  assigned_ = assigned;
  if (assigned == owned()) {
    pending_.reset();
    return;
  }
  const bool must_revoke = !std::ranges::includes(assigned, owned());
  if (!pending_) {
    revoked_at_ = now() + (must_revoke ? time_to_revoke() : 0);
  }
  pending_ = assigned;
  if (!must_revoke) finish_revocation();
}

void ConsumerMember::rejoin() {
  own({});
  assigned_.clear();
  pending_.reset();
  revoking_since_.reset();
  unsure_since_.reset();
  epoch_ = join_epoch;
  // The group may have been a new one meanwhile.
  highest_epoch_ = 0;
  sends_everything_ = true;
  retry_in(around_.random.between(0, 200));
}

void ConsumerMember::on_error(std::int16_t code) {
  sends_everything_ = true;
  if (is_failure(code)) return;
  const auto error = static_cast<Error>(code);
  // It was removed, and its group is a classic one since.
  if (error == Error::group_id_not_found && epoch_ != join_epoch) return rejoin();
  switch (error) {
    case Error::unknown_member_id:
    case Error::fenced_member_epoch: return rejoin();
    case Error::unreleased_instance_id: return retry_in(around_.random.between(500, 5000));
    default:
      around_.host.trace.violated(spec_.id + " is refused with error " + std::to_string(code));
  }
}

}  // namespace muster::simulation
