// ListOffsets. Lookups by time look into batches, compressed or not, so that answers are exact.
#include "apis/handlers.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/list_offsets_response.hpp>
#include <muster/protocol/record_batch.hpp>

#include "records/record_scanner.hpp"

namespace muster::embedded {
namespace {

using protocol::ListOffsetsRequest;
using protocol::ListOffsetsResponse;

// What negative timestamps stand for.
enum Moment : std::int64_t {
  latest = -1,
  earliest = -2,
  max_timestamp = -3,
  earliest_local = -4,
  latest_tiered = -5,
  earliest_pending_upload = -6,
};

bool supported(std::int64_t timestamp, std::int16_t version) {
  switch (timestamp) {
    case latest:
    case earliest: return true;
    case max_timestamp: return version >= 7;
    case earliest_local: return version >= 8;
    case latest_tiered: return version >= 9;
    case earliest_pending_upload: return version >= 11;
    default: return timestamp >= 0;
  }
}

struct Found {
  std::int64_t offset = -1;
  std::int64_t timestamp = -1;
  std::int32_t leader_epoch = -1;
};

// The first record of the batch for which `wanted` holds.
template <class Wanted>
Stored<Found> search(const StoredBatch& stored, std::int64_t log_start, Wanted wanted) {
  const auto batch = *protocol::RecordBatchView::first(stored.bytes);
  ScannedBatch scan;
  scan.codec = static_cast<std::uint8_t>(batch.compression());
  scan.records = batch.records();
  scan.record_count = batch.record_count();
  scan.base_timestamp = batch.base_timestamp();
  scan.max_record_size = std::numeric_limits<std::int32_t>::max();
  if (batch.timestamp_type() == protocol::TimestampType::log_append_time) {
    scan.append_time = batch.max_timestamp();
  }
  RecordScanner scanner(scan);
  for (;;) {
    const auto record = scanner.next();
    if (!record) return std::unexpected(StorageError{"a stored batch cannot be read"});
    if (!*record) return Found{};
    const std::int64_t offset = batch.base_offset() + (*record)->offset_delta;
    if (offset >= log_start && wanted((*record)->timestamp)) {
      return Found{offset, (*record)->timestamp, batch.partition_leader_epoch()};
    }
  }
}

Stored<Found> look_up(const Partition& partition, std::int64_t timestamp) {
  const LogOffsets offsets = partition.offsets();
  const bool newest = timestamp == max_timestamp;
  auto batch = newest ? partition.log().newest_by_timestamp()
                      : partition.log().first_reaching(timestamp);
  if (!batch) return std::unexpected(std::move(batch.error()));
  if (!*batch) return Found{};
  if (newest) {
    timestamp = protocol::RecordBatchView::first((*batch)->bytes)->max_timestamp();
    return search(**batch, offsets.start, [&](std::int64_t at) { return at == timestamp; });
  }
  return search(**batch, offsets.start, [&](std::int64_t at) { return at >= timestamp; });
}

Stored<Found> offset_at(const Partition& partition, std::int64_t timestamp) {
  switch (timestamp) {
    case latest: return Found{partition.offsets().end, -1, Partition::leader_epoch};
    case earliest:
    case earliest_local: return Found{partition.offsets().start, -1, Partition::leader_epoch};
    // Nothing is tiered.
    case latest_tiered:
    case earliest_pending_upload: return Found{};
    default: return look_up(partition, timestamp);
  }
}

using TopicPartition = std::pair<std::string_view, std::int32_t>;

class Lookup {
 public:
  Lookup(const Core& core, const sdk::Request& request, const ListOffsetsRequest& body)
      : core_(core), request_(request), body_(body), topics_(core.topics.current()) {
    find_repeated();
  }

  ListOffsetsResponse run() {
    ListOffsetsResponse response;
    for (const auto& asked : body_.topics) {
      auto& topic_response = response.topics.emplace_back();
      topic_response.name = asked.name;
      const bool allowed = core_.may(request_, sdk::Operation::describe, asked.name);
      const Topic* topic = topics_->by_name(asked.name);
      for (const auto& partition : asked.partitions) {
        const TopicPartition key{asked.name, partition.partition_index};
        const bool repeated = repeated_.contains(key);
        if (repeated && !answered_.insert(key).second) continue;
        auto& out = topic_response.partitions.emplace_back();
        out.partition_index = partition.partition_index;
        const Error error = !allowed   ? Error::topic_authorization_failed
                            : repeated ? Error::invalid_request
                                       : look_up(topic, partition, out);
        out.error_code = protocol::code(error);
      }
      if (topic_response.partitions.empty()) response.topics.pop_back();
    }
    return response;
  }

 private:
  using Asked = ListOffsetsRequest::ListOffsetsPartition;
  using Out = ListOffsetsResponse::ListOffsetsPartitionResponse;

  void find_repeated() {
    std::set<TopicPartition> seen;
    for (const auto& topic : body_.topics) {
      for (const auto& partition : topic.partitions) {
        const TopicPartition key{topic.name, partition.partition_index};
        if (!seen.insert(key).second) repeated_.insert(key);
      }
    }
  }

  Error look_up(const Topic* topic, const Asked& asked, Out& out) const {
    if (!supported(asked.timestamp, request_.version())) return Error::unsupported_version;
    const auto* partition = topic == nullptr ? nullptr : topic->partition(asked.partition_index);
    if (partition == nullptr || (*partition)->closed()) return Error::unknown_topic_or_partition;
    const Error fault = leader_epoch_fault(asked.current_leader_epoch);
    if (fault != Error::none) return fault;
    const auto found = offset_at(**partition, asked.timestamp);
    if (!found) {
      core_.host.error("a log could not be read: ", found.error().what);
      return Error::kafka_storage_error;
    }
    out.offset = found->offset;
    out.timestamp = found->timestamp;
    if (request_.version() >= 4) out.leader_epoch = found->leader_epoch;
    return Error::none;
  }

  const Core& core_;
  const sdk::Request& request_;
  const ListOffsetsRequest& body_;
  const Topics topics_;
  std::set<TopicPartition> repeated_;
  std::set<TopicPartition> answered_;
};

}  // namespace

void handle_list_offsets(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<ListOffsetsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  reply(request, answer, Lookup(core, request, *body).run());
}

}  // namespace muster::embedded
