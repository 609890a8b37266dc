// See fetch_plan.hpp. Errors and their order are those of Kafka's ReplicaManager.
#include "apis/fetch_plan.hpp"

#include <algorithm>
#include <utility>

namespace muster::embedded {
namespace {

constexpr std::int16_t first_with_ids = 13;
constexpr std::int16_t first_with_replica_state = 15;

const Topic* find(const TopicSet& topics, const protocol::FetchRequest::FetchTopic& asked,
                  std::int16_t version) {
  return version >= first_with_ids ? topics.by_id(asked.topic_id) : topics.by_name(asked.topic);
}

Error refusal_of_topic(const Core& core, const sdk::Request& request, const Topic* topic,
                       const PlannedTopic& planned) {
  const bool by_id = request.version() >= first_with_ids;
  if (topic == nullptr && by_id) return Error::unknown_topic_id;
  const std::string_view name = topic == nullptr ? std::string_view(planned.name) : topic->name;
  if (!core.may(request, sdk::Operation::read, name)) return Error::topic_authorization_failed;
  return topic == nullptr ? Error::unknown_topic_or_partition : Error::none;
}

class Planner {
 public:
  Planner(const Core& core, const sdk::Request& request, const protocol::FetchRequest& body)
      : core_(core), request_(request), body_(body), topics_(core.topics.current()) {}

  FetchPlan plan() {
    plan_.version = request_.version();
    plan_.read_committed = body_.isolation_level == 1;
    plan_.max_wait_ms = body_.max_wait_ms;
    plan_.max_bytes = std::min<std::int64_t>(body_.max_bytes, core_.settings.fetch_max_bytes);
    plan_.min_bytes = std::min<std::int64_t>(body_.min_bytes, plan_.max_bytes);
    const std::int32_t replica = request_.version() >= first_with_replica_state
                                     ? body_.replica_state.replica_id
                                     : body_.replica_id;
    plan_.from_follower = replica >= 0;
    follower_refused_ =
        plan_.from_follower && !core_.allowed(request_, sdk::Operation::cluster_action,
                                              sdk::Resource::cluster, Core::cluster_name);
    for (const auto& asked : body_.topics) add(asked);
    return std::move(plan_);
  }

 private:
  void add(const protocol::FetchRequest::FetchTopic& asked) {
    PlannedTopic planned{std::string(asked.topic), asked.topic_id, {}};
    const Topic* topic = find(*topics_, asked, request_.version());
    const Error refusal = follower_refused_ ? Error::topic_authorization_failed
                                            : refusal_of_topic(core_, request_, topic, planned);
    for (const auto& asked_partition : asked.partitions) {
      PlannedPartition partition;
      partition.index = asked_partition.partition;
      partition.offset = asked_partition.fetch_offset;
      partition.max_bytes = asked_partition.partition_max_bytes;
      // Any negative epoch is none here.
      partition.current_leader_epoch = std::max(asked_partition.current_leader_epoch, -1);
      partition.last_fetched_epoch = std::max(asked_partition.last_fetched_epoch, -1);
      partition.refusal = refusal;
      if (refusal == Error::none) resolve(*topic, partition);
      planned.partitions.push_back(std::move(partition));
    }
    plan_.topics.push_back(std::move(planned));
  }

  void resolve(const Topic& topic, PlannedPartition& partition) {
    const auto* found = topic.partition(partition.index);
    if (found == nullptr) {
      partition.refusal = Error::unknown_topic_or_partition;
      return;
    }
    partition.partition = *found;
    ++plan_.tried;
  }

  const Core& core_;
  const sdk::Request& request_;
  const protocol::FetchRequest& body_;
  const Topics topics_;
  bool follower_refused_ = false;
  FetchPlan plan_;
};

// What is wrong with this partition before its log is read.
Error read_fault(const FetchPlan& plan, const PlannedPartition& asked) {
  if (asked.partition->closed()) {
    return plan.version >= first_with_ids ? Error::unknown_topic_id
                                          : Error::unknown_topic_or_partition;
  }
  if (const Error fault = leader_epoch_fault(asked.current_leader_epoch); fault != Error::none) {
    return fault;
  }
  // Nobody follows this broker.
  if (plan.from_follower) {
    return asked.current_leader_epoch >= 0 ? Error::unknown_leader_epoch
                                           : Error::not_leader_or_follower;
  }
  return asked.last_fetched_epoch > Partition::leader_epoch ? Error::offset_out_of_range
                                                            : Error::none;
}

struct ReadBudget {
  std::int64_t bytes = 0;
  bool at_least_one = true;  // batch, as long as nobody got any
};

PartitionRead read_one(const FetchPlan& plan, const PlannedPartition& asked, ReadBudget& budget,
                       std::string& storage_fault) {
  PartitionRead read;
  read.error = read_fault(plan, asked);
  if (read.error != Error::none) return read;
  const LogOffsets offsets = asked.partition->offsets();
  const bool beyond = asked.offset > offsets.end;
  if (asked.offset < offsets.start || (beyond && asked.last_fetched_epoch < 0)) {
    read.error = Error::offset_out_of_range;
    return read;
  }
  read.offsets = offsets;
  read.diverges = beyond;
  if (beyond || asked.offset == offsets.end) return read;
  const std::int64_t room = std::min<std::int64_t>(asked.max_bytes, budget.bytes);
  auto pieces =
      asked.partition->log().read({asked.offset, offsets.end, room, budget.at_least_one});
  if (!pieces) {
    storage_fault = std::move(pieces.error().what);
    read.error = plan.version <= 5 ? Error::not_leader_or_follower : Error::kafka_storage_error;
    read.offsets = {-1, -1};
    return read;
  }
  read.pieces = *std::move(pieces);
  for (const StoredPiece& piece : read.pieces) read.size += piece.size;
  return read;
}

}  // namespace

FetchPlan plan_fetch(const Core& core, const sdk::Request& request,
                     const protocol::FetchRequest& body) {
  return Planner(core, request, body).plan();
}

FetchReads read_all(const FetchPlan& plan) {
  FetchReads reads;
  ReadBudget budget{plan.max_bytes};
  for (const PlannedTopic& topic : plan.topics) {
    for (const PlannedPartition& asked : topic.partitions) {
      if (asked.partition == nullptr) {
        reads.partitions.emplace_back().error = asked.refusal;
        continue;
      }
      const PartitionRead& read =
          reads.partitions.emplace_back(read_one(plan, asked, budget, reads.fault));
      reads.failed |= read.error != Error::none;
      reads.diverged |= read.diverges;
      reads.bytes += read.size;
      if (read.size > 0) budget.at_least_one = false;
      budget.bytes = std::max<std::int64_t>(0, budget.bytes - read.size);
    }
  }
  return reads;
}

bool needs_reading(const FetchPlan& plan) {
  for (const PlannedTopic& topic : plan.topics) {
    for (const PlannedPartition& asked : topic.partitions) {
      if (asked.partition != nullptr && asked.partition->offsets().end > asked.offset) return true;
    }
  }
  return false;
}

}  // namespace muster::embedded
