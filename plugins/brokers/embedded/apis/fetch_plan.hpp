// What a fetch request asks for, resolved against the topics of the moment, and what reading it
// gives. A plan outlives its request, so that a fetch can wait. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/sdk/broker.hpp>

#include "core.hpp"

namespace muster::embedded {

struct PlannedPartition {
  std::int32_t index = 0;
  std::int64_t offset = 0;
  std::int32_t max_bytes = 0;
  std::int32_t current_leader_epoch = -1;
  std::int32_t last_fetched_epoch = -1;
  Error refusal = Error::none;           // it is not even tried
  std::shared_ptr<Partition> partition;  // if it is
};

struct PlannedTopic {
  std::string name;
  protocol::Uuid id;
  std::vector<PlannedPartition> partitions;
};

struct FetchPlan {
  std::int16_t version = 0;
  bool read_committed = false;
  bool from_follower = false;
  std::int32_t max_wait_ms = 0;
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;
  std::size_t tried = 0;  // partitions without a refusal
  std::vector<PlannedTopic> topics;
};

FetchPlan plan_fetch(const Core& core, const sdk::Request& request,
                     const protocol::FetchRequest& body);

struct PartitionRead {
  Error error = Error::none;
  LogOffsets offsets{-1, -1};
  bool diverges = false;  // from the client's last fetched epoch
  std::vector<StoredPiece> pieces;
  std::int64_t size = 0;
};

struct FetchReads {
  std::vector<PartitionRead> partitions;  // of all topics, in the plan's order
  std::int64_t bytes = 0;
  bool failed = false;    // somebody must hear of an error now
  bool diverged = false;  // or of another history
  std::string fault;      // of the storage, for the log
};

FetchReads read_all(const FetchPlan& plan);

// Whether any batch would be read.
bool needs_reading(const FetchPlan& plan);

// Whether the client would rather have this than wait for more.
inline bool satisfied(const FetchPlan& plan, const FetchReads& reads) {
  return reads.bytes >= plan.min_bytes || reads.failed || reads.diverged;
}

}  // namespace muster::embedded
