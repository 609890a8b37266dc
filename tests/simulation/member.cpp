// What members of all protocols do alike.
#include "member.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>

#include <re2/re2.h>

#include <algorithm>

namespace muster::simulation {
namespace {

using protocol::Error;

constexpr std::int64_t never = INT64_MAX;

bool cannot_serve(Error error) {
  return error == Error::coordinator_load_in_progress ||
         error == Error::coordinator_not_available || error == Error::not_coordinator;
}

}  // namespace

Member::Member(Surroundings& around, MemberSpec spec)
    : around_(around), spec_(std::move(spec)), connection_(around.network.connect(spec_.id)) {
  next_at_ = now();
}

bool Member::subscribes(const std::string& topic) const {
  if (std::ranges::find(spec_.topics, topic) != spec_.topics.end()) return true;
  return spec_.regex && RE2::FullMatch(topic, *spec_.regex);
}

std::int64_t Member::next_due() const {
  if (is_gone_) return never;
  std::int64_t due = sent_at_ ? *sent_at_ + patience_ms() : next_at_;
  if (const auto revokes = revokes_at()) due = std::min(due, *revokes);
  return std::max(due, stalled_until_);
}

bool Member::step() {
  if (next_due() > now()) return false;
  if (const auto revokes = revokes_at(); revokes && *revokes <= now()) {
    finish_revocation();
  } else if (sent_at_) {
    tell("waited too long");
    lose_connection();
  } else if (looks_for_coordinator_) {
    find_coordinator();
  } else {
    act();
  }
  return true;
}

std::optional<std::uint64_t> Member::life_of_shard() const {
  const std::uint32_t shard = around_.host.shard_of(spec_.group);
  if (!around_.host.space().shard(shard).active()) return std::nullopt;
  return around_.host.store.loads(shard);
}

void Member::own(Partitions partitions) {
  if (partitions == owned_) return;
  owned_ = std::move(partitions);
  ++around_.ownership_changes;
  tell("owns " + around_.topics.text(owned_));
}

std::int64_t Member::time_to_revoke() {
  return around_.random.chance(50) ? around_.random.between(5000, 40000)
                                   : around_.random.between(0, 1500);
}

void Member::find_coordinator() {
  protocol::FindCoordinatorRequest message;
  message.coordinator_keys = {spec_.group};
  ask(message, 4, [this](host::Bytes) {
    looks_for_coordinator_ = false;
    retry_in(around_.random.between(1, 500));
  });
}

bool Member::is_failure(std::int16_t code) {
  const auto error = static_cast<Error>(code);
  if (!cannot_serve(error)) return false;
  looks_for_coordinator_ = error != Error::coordinator_load_in_progress;
  retry_in(around_.random.between(10, 1000));
  return true;
}

void Member::lose_connection() {
  drop_connection();
  if (is_gone_) return;
  connection_ = around_.network.connect(spec_.id);
  sent_at_.reset();
  tell("has a new connection");
  retry_in(around_.random.between(0, 300));
  on_new_connection();
}

void Member::crash() {
  tell("crashes");
  end();
  drop_connection();
}

void Member::commit() {
  std::map<TopicPartition, std::int64_t> offsets;
  for (const TopicPartition& one : owned_) {
    if (around_.topics.exists(one.first) && around_.random.below(2) == 0) {
      offsets[one] = around_.ledger.new_offset();
    }
  }
  if (offsets.empty() || !is_joined()) return;
  const std::int16_t version = commit_version();
  protocol::OffsetCommitRequest message;
  message.group_id = spec_.group;
  message.member_id = known_as();
  message.generation_id_or_member_epoch = epoch();
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

void Member::on_commit(host::Bytes body, std::int16_t version,
                       const std::map<TopicPartition, std::int64_t>& offsets) {
  const auto answer = protocol::decode<protocol::OffsetCommitResponse>(body, version);
  if (!answer) return around_.host.trace.violated(spec_.id + " got an unreadable answer");
  std::map<std::pair<std::string, std::int32_t>, Error> errors;
  for (const auto& topic : answer->topics) {
    const std::string name =
        version >= 10 ? around_.topics.name_of(topic.topic_id) : std::string(topic.name);
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
    } else if (!cannot_serve(error->second)) {
      around_.ledger.refused(key, offset);
    }
  }
}

}  // namespace muster::simulation
